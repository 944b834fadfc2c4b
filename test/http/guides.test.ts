import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from '../../scripts/infra/paths.ts'
import { freePort } from '../../scripts/infra/ports.ts'
import { docBlocks } from '../support/doc-blocks.ts'
import { follow } from '../support/follow.ts'
import { keyOf } from '../support/invoice-page.ts'
import { buyer } from '../support/merchant.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Runs what the guides show and no test of their area runs.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

const local = join(ROOT, '.local')
mkdirSync(local, { recursive: true })
const folder = mkdtempSync(join(local, 'guides-'))
after(() => rmSync(folder, { recursive: true }))

test('the calls of the guide catalogue work as pasted', async () => {
  const product = {
    name: 'Other plan',
    price_type: 'fixed',
    amount: '5.00',
    currency: 'USD',
    recurring: { interval: 'month' },
  }
  const made = await follow(await api.addMerchant(), 'catalogue', {
    prepare: async (merchant) => (await merchant.call('POST', '/v1/products', product)).body,
  })
  assert.deepEqual(made, ['POST /v1/products', 'POST /v1/product-groups', 'PATCH /v1/products/…'])
})

test('the calls of the guide request-logs work as pasted', async () => {
  const made = await follow(await api.addMerchant(), 'request-logs', {
    prepare: async (merchant) => {
      const { headers } = await merchant.call('GET', '/v1/payments')
      const find = () => merchant.call('GET', `/v1/request-logs/${headers.get('x-request-id')}`)
      await until(async () => (await find()).status === 200, 'the call is in the log')
    },
  })
  assert.deepEqual(made.at(-1), 'GET /v1/request-logs/…')
})

test('the calls of the guide virtual-accounts work as pasted', async () => {
  await follow(await api.addMerchant(), 'virtual-accounts', {
    prepare: async (merchant) => {
      const { body: customer } = await merchant.call('POST', '/v1/customers', buyer)
      const account = { customer_id: customer['customer_id'], currency: 'NGN', account_name: 'Ada Buyer' }
      return (await merchant.call('POST', '/v1/virtual-accounts', account)).body
    },
  })
})

test('the calls of the guide customer-portal work as pasted, also the customer’s own', async () => {
  const names: Record<string, string> = {}
  const made = await follow(await api.addMerchant(), 'customer-portal', {
    names,
    prepare: async (merchant) => (await merchant.call('POST', '/v1/customers', buyer)).body,
    after: { 'POST /v1/customer-sessions': ({ answer }) => void (names['TOKEN'] = String(answer['token'])) },
  })
  assert.equal(made.length, 2)
})

test('the calls of the guide invoices work as pasted, on an invoice that could not be charged', async () => {
  const names: Record<string, string> = {}
  const shop = await api.addMerchant()
  await follow(shop, 'recipes/subscription', {
    after: {
      'GET /v1/subscriptions/…': async ({ merchant }) => {
        const { body } = await merchant.call('GET', '/v1/invoices?status=open')
        const [invoice] = body['items'] as unknown as Parameters<typeof keyOf>
        names['PAGE_KEY'] = keyOf(invoice)
        await follow(shop, 'invoices', { names })
      },
    },
  })
  assert.ok(names['PAGE_KEY'])
})

/** The text of the first block of a language in the start page. */
const inStart = (language: string) =>
  docBlocks.find((block) => block.page === 'docs/start.md' && block.language === language)?.text ??
  assert.fail(language)

test('the calls of the page start work as pasted, and its receiver prints the test event', async () => {
  const port = String(await freePort())
  const replaced = (text: string) => text.replaceAll('4000', port)
  writeFileSync(join(folder, 'receiver.mjs'), replaced(inStart('js')))
  const receiver = spawn(process.execPath, ['receiver.mjs'], { cwd: folder })
  after(() => receiver.kill())
  let printed = ''
  receiver.stdout.on('data', (chunk) => (printed += String(chunk)))
  const listens = () =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'ready' }).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(listens, 'it listens')
  const made = await follow(await api.addMerchant(), '../docs/start', { replaced })
  assert.equal(made.length, 3)
  await until(() => printed.includes('evt_test_webhook'), 'the test event is printed')
})

const options = (env: Record<string, string> = {}) => ({
  cwd: folder,
  env: { ...process.env, ...env },
  timeout: 60_000,
})
const exists = ([command = '', ...args]: string[]) => spawnSync(command, args, options()).status === 0

/** The other languages of the start page, each with how its program is run. */
const languages = [
  { language: 'ts', file: 'sell.ts', check: [process.execPath, '--version'], command: [process.execPath, 'sell.ts'] },
  { language: 'python', file: 'sell.py', check: ['python3', '--version'], command: ['python3', 'sell.py'] },
  { language: 'go', file: 'sell.go', check: ['go', 'version'], command: ['go', 'run', 'sell.go'] },
]

for (const { language, file, check, command } of languages) {
  const skip = !exists(check) && `${language} is not installed`
  test(`the program of the page start in ${language} sells once, also when it runs twice`, { skip }, async () => {
    const { key, merchant } = await api.addMerchant()
    writeFileSync(join(folder, file), inStart(language))
    const [program = '', ...args] = command
    const run = () => promisify(execFile)(program, args, options({ BASE: stack.baseUrl, KEY: key }))
    const [first, second] = [await run(), await run()]
    assert.match(first.stdout, /"status":"open"/)
    assert.match(first.stdout, /"checkout_url":"http/)
    assert.equal(idIn(second.stdout), idIn(first.stdout))
    const { body } = await merchant.call('GET', '/v1/checkout-sessions')
    assert.equal((body['items'] as unknown as unknown[]).length, 1)
  })
}

test('the command of the page start for an older Node runs the program', async () => {
  const [, command = ''] = /`(n\w+ \S+) sell\.ts`/.exec(readFileSync(join(ROOT, 'docs/start.md'), 'utf8')) ?? []
  assert.equal(command, 'node scripts/run.mjs', 'npx with npm 10 does not find the Node of the packages')
  const { key } = await api.addMerchant()
  const program = join(folder, 'older.ts')
  writeFileSync(program, inStart('ts'))
  const [node, script = ''] = [process.execPath, command.split(' ')[1]]
  const run = [join(ROOT, script), relative(ROOT, program)]
  const { stdout } = await promisify(execFile)(node, run, options({ BASE: stack.baseUrl, KEY: key }))
  assert.match(stdout, /"status":"open"/)
})

const idIn = (text: string) => /chk_\w+/.exec(text)?.[0]

test('the database understands the queries of the pages capacity, processes, staff and runbooks', async () => {
  const queries = docBlocks
    .filter(({ page, language }) => language === 'sql' && /(operating|runbooks)[/.]/.test(page))
    .flatMap(({ text }) => text.split(';'))
    .filter((query) => query.trim() !== '')
  assert.ok(queries.length > 5)
  for (const query of queries) await stack.sql(`explain ${query}`)
})
