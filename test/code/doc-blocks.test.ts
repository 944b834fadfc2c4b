import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { validateInput, validateQuery } from '../../api/http/validate.ts'
import type { Operation } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { type IdPrefix, newId } from '../../domain/id.ts'
import { fieldsOf } from '../../domain/narrow.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { type Block, commandsOf, docBlocks, placeOf } from '../support/doc-blocks.ts'
import { pastedCall } from '../support/guide.ts'

// Reads every block of code of the documentation: what it calls must exist. Which test also runs it is said here.

/**
 * The test, or the proof, that runs the blocks of a language on a page, or sends its calls. Of programs each block is
 * named: the second one of a page ends with ` 2`.
 */
const runBy: Record<string, string> = {
  'docs/guides/catalogue.md sh': 'test/http/guides.test.ts',
  'docs/guides/checkout.md js': 'test/checkout/live-card.browser.test.ts',
  'docs/guides/connected-accounts.md sh': 'test/platform/account-guide.test.ts',
  'docs/guides/customer-portal.md sh': 'test/http/guides.test.ts',
  'docs/guides/disputes.md sh': 'test/dispute/dispute-guide.test.ts',
  'docs/guides/invoices.md sh': 'test/http/guides.test.ts',
  'docs/guides/keys.md sh': 'test/access/api-key-connected.test.ts',
  'docs/guides/other-languages.md sh': 'test/proof/generated-clients.ts',
  'docs/guides/other-languages.md python': 'test/proof/generated-clients.ts',
  'docs/guides/other-languages.md go': 'test/proof/generated-clients.ts',
  'docs/guides/other-languages.md java': 'test/proof/generated-clients.ts',
  'docs/guides/other-languages.md ts': 'test/proof/generated-clients.ts',
  'docs/guides/payment-links.md sh': 'test/checkout/payment-link.test.ts',
  'docs/guides/payout-destinations.md sh': 'test/payout/payout-destination.test.ts',
  'docs/guides/payout-schedules.md sh': 'test/payout/payout-schedule.test.ts',
  'docs/guides/payouts.md sh': 'test/payout/payout.test.ts',
  'docs/guides/request-logs.md sh': 'test/http/guides.test.ts',
  'docs/guides/subscriptions.md sh': 'test/subscription/subscription-guide.test.ts',
  'docs/guides/test-clocks.md sh': 'test/subscription/subscription-guide.test.ts',
  'docs/guides/typescript.md ts': 'test/client/library-package.test.ts',
  'docs/guides/typescript.md ts 2': 'test/client/library-package.test.ts',
  'docs/guides/typescript.md ts 3': 'test/client/library-package.test.ts',
  'docs/guides/virtual-accounts.md sh': 'test/http/guides.test.ts',
  'docs/guides/webhooks.md js': 'test/webhook/webhook-guide.test.ts',
  'docs/guides/webhooks.md ts': 'test/webhook/webhook-guide.test.ts',
  'docs/guides/webhooks.md python': 'test/webhook/webhook-guide.test.ts',
  'docs/guides/webhooks.md python 2': 'test/webhook/webhook-guide.test.ts',
  'docs/guides/webhooks.md go': 'test/webhook/webhook-guide.test.ts',
  'docs/guides/webhooks.md php': 'test/webhook/webhook-guide.test.ts',
  'docs/guides/webhooks.md php 2': 'test/webhook/webhook-guide.test.ts',
  'docs/guides/production.md sql': 'test/db/database-user.test.ts',
  'docs/operating/capacity.md sql': 'test/http/guides.test.ts',
  'docs/operating/processes.md sql': 'test/http/guides.test.ts',
  'docs/operating/staff.md sql': 'test/http/guides.test.ts',
  'docs/recipes/marketplace.md sh': 'test/http/recipes.test.ts',
  'docs/recipes/ngn-transfer.md sh': 'test/http/recipes.test.ts',
  'docs/recipes/reconciliation.md sh': 'test/http/recipes.test.ts',
  'docs/recipes/subscription.md sh': 'test/http/recipes.test.ts',
  'docs/runbooks.md sql': 'test/http/guides.test.ts',
  'docs/start.md sh': 'test/http/guides.test.ts',
  'docs/start.md js': 'test/http/guides.test.ts',
  'docs/start.md ts': 'test/http/guides.test.ts',
  'docs/start.md python': 'test/http/guides.test.ts',
  'docs/start.md go': 'test/http/guides.test.ts',
}

const operates = 'changes the service that runs, or calls the command line of Temporal'

/** What is read here and not run, and why. */
const notRun: Record<string, string> = {
  'README.md sh': 'starts the service, or all tests',
  'docs/decisions/0033-one-house.md mermaid': 'a picture',
  'docs/guides/command-line.md sh': 'the commands are run by test/client; here each must exist with its options',
  'docs/guides/command-line.md ': 'what a command prints',
  'docs/guides/dashboard.md sh': 'needs the session of a person',
  'docs/guides/login.md sh': 'needs the code of an authenticator app',
  'docs/guides/paystack.md sh': 'needs a business at Paystack; test/rails runs the commands against the double',
  'docs/guides/production.md sh':
    'needs a builder and a cluster; test/code/deployment.test.ts checks what the commands use',
  'docs/guides/production.md yaml': 'values of the chart; npm run check-deployment renders such ones',
  'docs/guides/stripe.md sh': 'needs an account at Stripe; test/rails runs the commands against the double',
  'docs/guides/typescript.md sh': 'makes and installs the package, as test/client/library-package.test.ts does',
  'docs/guides/webhooks.md ': 'what a stream sends, as test/webhook/event-stream.test.ts reads it',
  'docs/operating/data.md sh': operates,
  'docs/operating/processes.md sh': operates,
  'docs/operating/providers.md sh': operates,
  'docs/operating/staff.md sh': operates,
  'docs/operating/upgrading.md sh': operates,
  'docs/operating/capacity.md yaml': 'the configuration of a Temporal service that is not ours',
}

/** Languages whose blocks of a page are run or read together. The blocks of the others are programs. */
const readTogether = ['', 'json', 'sh', 'sql', 'yaml']

/** A page with a language, and for a program which one of the page it is. */
function kindOf(block: Block): string {
  const { page, language } = block
  const alike = docBlocks.filter((each) => each.page === page && each.language === language)
  const at = readTogether.includes(language) ? 0 : alike.indexOf(block)
  return at === 0 ? `${page} ${language}` : `${page} ${language} ${at + 1}`
}

test('every block is run by a test or a proof, or it is said why not', () => {
  const kinds = new Set(docBlocks.filter(({ language }) => language !== 'json').map(kindOf))
  assert.deepEqual([...kinds].toSorted(), [...Object.keys(runBy), ...Object.keys(notRun)].toSorted())
  for (const [kind, file] of Object.entries(runBy)) {
    assert.ok(existsSync(join(ROOT, file)), file)
    const page = basename(kind.split(' ')[0] ?? '', '.md')
    assert.ok(readFileSync(join(ROOT, file), 'utf8').includes(page), `${file} does not name ${page}`)
  }
})

/** The operation of a call, and null if there is none. */
function operationOf(method: string, path: string): Operation | null {
  const [bare = ''] = path.split('?')
  const matching = operations.filter((one) => {
    const pattern = one.path.replaceAll(/\{\w+\}/g, '[^/]+')
    return one.method.toUpperCase() === method && new RegExp(`^${pattern}$`).test(bare)
  })
  return matching.find(({ path: own }) => own === bare) ?? matching[0] ?? null
}

/** The ids and names of a page, filled with ones of the right form. */
const filled = (text: string) =>
  text
    .replaceAll(/\b([a-z]+)_…/g, (_, prefix: string) => newId(prefix as IdPrefix, 0))
    .replaceAll(/\$\{?[A-Z_]+\}?/g, 'named')
    .replaceAll('…', '12345678')

/** The fields of what was sent that the operation ignores, at any depth. */
const ignored = (sent: unknown, taken: unknown, path = ''): string[] =>
  Object.entries(fieldsOf(sent)).flatMap(([name, value]) => {
    const place = path + name
    if (!(name in fieldsOf(taken))) return [place]
    return typeof value === 'object' && value !== null ? ignored(value, fieldsOf(taken)[name], `${place}.`) : []
  })

/** What is wrong with a call: it names no operation, or has fields that the operation does not take. */
function problemsOf(method: string, path: string, body: string | undefined, isFile = false): string[] {
  const operation = operationOf(method, path)
  if (!operation) return [`${method} ${path} is no operation`]
  const query = Object.fromEntries(new URL(path, 'http://localhost').searchParams)
  const sent = body === undefined ? {} : (JSON.parse(body) as Record<string, unknown>)
  const inputs = [
    { where: 'query', sent: query, checked: validateQuery(operation.query, query) },
    ...(isFile ? [] : [{ where: 'body', sent, checked: validateInput(operation.body, sent) }]),
  ]
  return inputs.flatMap(({ where, sent: input, checked: { errors, value } }) => {
    const said = errors.map(({ field, message }) => `${method} ${path}: ${where} ${field} ${message}`)
    const left = errors.length > 0 ? [] : ignored(input, value)
    return [...said, ...left.map((field) => `${method} ${path}: ${field} is ignored`)]
  })
}

/** The guide whose variables another page sets, which it names. */
const setElsewhere = ['docs/guides/other-languages.md']

test('every variable of a shell command is set above it on its page, so that it works as pasted', () => {
  const unset = docBlocks
    .filter(({ language, page }) => language === 'sh' && !setElsewhere.includes(page))
    .flatMap((block) =>
      [...block.text.matchAll(/\$\{?([A-Z][A-Z_]+)/g)]
        .filter(([, name]) => !new RegExp(`\\b${name}=`).test(block.before + block.text))
        .map(([variable]) => `${placeOf(block)} ${variable}`),
    )
  assert.deepEqual(unset, [])
})

test('every curl call names an operation, with fields that it takes', () => {
  let count = 0
  const problems = docBlocks
    .filter(({ language }) => language === 'sh')
    .flatMap((block) =>
      commandsOf(block)
        .filter((command) => command.startsWith('curl '))
        .flatMap((command) => {
          count += 1
          const { method, path, body } = pastedCall(command, filled)
          const isFile = command.includes('-F file=')
          return problemsOf(isFile ? 'POST' : method, path, body, isFile).map((said) => `${placeOf(block)} ${said}`)
        }),
    )
  assert.deepEqual(problems, [])
  assert.ok(count > 60, `${count} calls`)
})

/** A shell text without what it quotes. */
const withoutQuoted = (text: string) => text.replaceAll(/'[^']*'|"(\\.|[^"\\])*"/g, '')

test('a command has nothing outside quotes that zsh reads as a pattern, and a curl call no end', () => {
  const problems = docBlocks
    .filter(({ language }) => language === 'sh')
    .flatMap((block) =>
      commandsOf(block)
        .filter((command) => {
          const bare = withoutQuoted(command)
          return /[?*[]/.test(bare) || (command.startsWith('curl ') && bare.replace(/\|.*$/s, '').includes('&'))
        })
        .map((command) => `${placeOf(block)} ${command}`),
    )
  assert.deepEqual(problems, [])
})

test('no shell block has a comment: zsh takes one at its prompt for arguments and runs what is in backticks', () => {
  const withComments = docBlocks
    .filter(({ language, text }) => language === 'sh' && /(^|\s)#/.test(withoutQuoted(text)))
    .map(placeOf)
  assert.deepEqual(withComments, [])
})

/** Commands that are not ours, or only set a name. */
const others = [
  /^(export )?([A-Z_]+=\S*|[A-Z]+='[^']*'|[A-Z]+="[^"]*")( |$)/,
  /^(DATABASE_URL|TEMPORAL_ADDRESS)=/,
  /^npm /,
  /^temporal /,
  /^psql "\$DATABASE_URL" /,
  // What ships the service.
  /^(docker|kubectl|helm|jq) /,
  /^sh deploy\/compose\/make-secrets\.sh$/,
  // What makes clients in other languages.
  /^mvn -q org\.apache\.maven\.plugins:maven-dependency-plugin:[\d.]+:copy /,
  /^java -jar openapi-generator-cli-[\d.]+\.jar generate /,
  /^(python3 -m venv|env\/bin\/pip install|go mod|echo) /,
]
const isLoop = (command: string) => /^(for name in|done)/.test(command)

test('every other command is one that we know', () => {
  const json = /^json (\S+) '(.*)'$/
  const problems = docBlocks
    .filter(({ language }) => language === 'sh')
    .flatMap((block) =>
      commandsOf(block).flatMap((command) => {
        if (command.startsWith('curl ') || command.startsWith('npx steadypay ') || isLoop(command)) return []
        const [, path, body] = json.exec(command) ?? []
        if (path) return problemsOf('POST', `/api/v1/auth/${path}`, filled(body ?? ''))
        if (command.startsWith('json() ') || others.some((known) => known.test(command))) return []
        return [`${placeOf(block)} ${command}`]
      }),
    )
  assert.deepEqual(problems, [])
})

test('every command of npx steadypay exists, with its options', () => {
  const lines = docBlocks.flatMap(commandsOf).filter((command) => command.startsWith('npx steadypay '))
  assert.ok(lines.length > 8)
  const help = new Map<string, string>()
  for (const line of lines) {
    const words = line.split(' ').slice(2)
    const end = words.findIndex((word) => !/^[a-z]+$/.test(word))
    const named = end === -1 ? words : words.slice(0, end)
    const command = named.slice(0, 2).join(' ')
    if (!help.has(command)) {
      const { status, stdout } = spawnSync(process.execPath, [
        join(ROOT, 'client/steadypay.mjs'),
        ...named.slice(0, 2),
        '--help',
      ])
      assert.equal(status, 0, line)
      help.set(command, String(stdout))
    }
    for (const option of words.filter((word) => word.startsWith('--')))
      assert.ok(help.get(command)?.includes(option), `${line}: ${option}`)
  }
})

/** The fields of a schema, of all its forms. */
function namesIn(schema: unknown): string[] {
  const { properties, anyOf, allOf } = fieldsOf(schema)
  const forms = [anyOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []))
  return [...Object.keys(fieldsOf(properties)), ...forms.flatMap(namesIn)]
}
/** The schema of what a list lists. */
const listedIn = (schema: unknown) => fieldsOf(fieldsOf(fieldsOf(schema)['properties'])['items'])['items']

/** The scenarios of docs/, which test/sandbox/scenarios.test.ts runs. */
const scenarios = globSync('docs/scenarios/*.json', { cwd: ROOT }).map((file) =>
  JSON.stringify(JSON.parse(readFileSync(join(ROOT, file), 'utf8'))),
)

test('every JSON block is valid, and has the fields of the call that the text above it names', () => {
  const blocks = docBlocks.filter(({ language }) => language === 'json')
  assert.ok(blocks.length > 10)
  for (const block of blocks) {
    const content = JSON.parse(block.text) as object
    if (scenarios.includes(JSON.stringify(content))) continue
    const names = Object.keys(content)
    const calls = [...block.before.matchAll(/`(?:(GET|POST|PUT|PATCH) )?(\/[^`\s?]+)/g)]
    const known = calls.flatMap(([, method = 'GET', path = '']) => {
      const operation = operationOf(method, path)
      if (!operation) return []
      return [operation.body, operation.returns[1], listedIn(operation.returns[1])].map(namesIn)
    })
    assert.ok(
      known.some((fields) => names.every((name) => fields.includes(name))),
      `${placeOf(block)}: no call above it has the fields ${names.join(', ')}`,
    )
  }
})
