import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { shells } from '../../client/completion.ts'
import { eventTypes } from '../../domain/webhook/event.ts'
import { runClient } from '../support/client.ts'

const run = promisify(execFile)
let folder: string
let script: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'steadypay-completion-'))
  script = join(folder, 'completion.bash')
  const { code, stdout, stderr } = await runClient('', ['completion', 'bash'])
  assert.equal(code, 0, stderr)
  writeFileSync(script, stdout)
  writeFileSync(join(folder, 'a scenario.json'), '{}')
})
after(() => rmSync(folder, { recursive: true }))

/** What bash offers when the line has been typed and the tab key is pressed twice. */
async function offered(line: string): Promise<string[]> {
  const { stdout } = await run('python3', ['-c', pressingTab, script, line], { cwd: folder, timeout: 30_000 })
  return stdout.split(/\s+/).filter(Boolean)
}

/** Types a line into an interactive bash, presses tab twice, and prints what the terminal shows then. */
const pressingTab = `
import os, pty, select, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(PS1='> ', TERM='dumb', LINES='500', COLUMNS='200')
    os.execvp('bash', ['bash', '--norc', '--noprofile', '-i'])
def read(seconds, until=b''):
    shown = b''
    end = time.time() + seconds
    while time.time() < end and (until == b'' or until not in shown):
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 65536)
    return shown
def send(text):
    os.write(terminal, text.encode())
read(10, b'> ')
send("bind 'set completion-query-items 0'; bind 'set page-completions off'; bind 'set enable-bracketed-paste off'\\r")
send(f"source '{sys.argv[1]}'; echo rea''dy\\r")
read(10, b'ready\\r\\n> ')
send(sys.argv[2] + '\\t\\t')
time.sleep(0.5)
send('#end')
shown = read(10, b'#end').decode()
print(shown.replace('#end', '').replace('\\a', ''))
`

test('bash completes commands, subcommands, event types, options and their values', async () => {
  const typed = await offered('steadypay ')
  for (const name of ['listen', 'trigger', 'events', 'login', 'completion']) assert.ok(typed.includes(name), name)
  assert.deepEqual(await offered('steadypay ev'), ['steadypay', 'events'])
  assert.deepEqual((await offered('steadypay events ')).slice(2, 5), ['list', 'resend', 'show'])
  assert.ok((await offered('steadypay events list --t')).includes('--type'))
  const types = await offered('steadypay trigger ')
  for (const type of eventTypes) assert.ok(types.includes(type), type)
  assert.deepEqual(await offered('steadypay --json trigger collection.su'), [
    'steadypay',
    '--json',
    'trigger',
    'collection.succeeded',
  ])
  assert.ok((await offered('steadypay agenda --waiting-on bu')).includes('buyer'))
})

test('bash completes the name of a file where a command takes one', async () => {
  assert.match((await offered('steadypay scenario run a')).join(' '), /a\\ scenario\.json/)
})

test('there is a script for each shell that is named, and another one is refused', async () => {
  for (const shell of shells) {
    const { code, stdout } = await runClient('', ['completion', shell, '--json'])
    assert.equal(code, 0)
    const made = JSON.parse(stdout) as { shell: string; script: string }
    assert.equal(made.shell, shell)
    for (const type of eventTypes) assert.ok(made.script.includes(type), `${shell}: ${type}`)
  }
  const { code, stderr } = await runClient('', ['completion', 'csh', '--json'])
  assert.deepEqual([code, (JSON.parse(stderr) as { error_code: string }).error_code], [2, 'USAGE'])
})
