<?php
// Answers, as a JSON list, which vectors of the file given isGenuine of the guide (verify.php, beside this) accepts.
require __DIR__ . '/verify.php';

function accepts(array $vector): bool
{
    $server = [];
    foreach ($vector['headers'] as $name => $value) {
        $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value; // as PHP's $_SERVER has them
    }
    return isGenuine($server, $vector['body'], $vector['secrets'], $vector['tolerance_seconds'], $vector['now']);
}

$file = json_decode(file_get_contents($argv[1]), true, flags: JSON_THROW_ON_ERROR);
echo json_encode(array_map('accepts', $file['vectors']));
