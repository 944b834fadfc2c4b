import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { generated } from '../../scripts/client/generate.ts'
import { packClient, packFolder } from '../../scripts/client/pack.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { typeScriptIn } from '../support/guide.ts'
import { atEnd } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The package of the client for TypeScript, as a merchant gets it: packed, installed into an empty project without a
// network, compiled and run against the real service.
const stack = await useStack({ invariants: 'at the end' })
await useApi(stack)

const run = promisify(execFile)
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
type Manifest = { version: string; license: string; dependencies: Record<string, string> }
const manifestOf = (file: string) => JSON.parse(read(file)) as Manifest

test('the generated files are those of the present document; if not, run npm run docs', async () => {
  for (const [name, render] of Object.entries(generated)) assert.ok((await render()) === read(name), `${name} is stale`)
})

test('the package has the version, the licence and the dependency of the repository', () => {
  const [ours, own] = [manifestOf('client/library/package.json'), manifestOf('package.json')]
  assert.deepEqual([ours.version, ours.license], [own.version, own.license])
  for (const [name, version] of Object.entries(ours.dependencies)) assert.equal(own.dependencies[name], version)
})

const project = mkdtempSync(join(tmpdir(), 'steadypay-merchant-'))
atEnd(() => rmSync(project, { recursive: true, force: true }))

test('the package installs into an empty project without a network', async () => {
  const tarballs = join(project, 'tarballs')
  mkdirSync(tarballs)
  const needed = ['openapi-fetch', 'openapi-typescript-helpers'].map((name) => join(ROOT, 'node_modules', name))
  const packed = [await packClient(tarballs), ...needed.map((folder) => packFolder(folder, tarballs))]
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', ...packed], { cwd: project })
  const files = await run('npm', ['ls', '--all', '--parseable'], { cwd: project })
  assert.equal(files.stdout.trim().split('\n').length, 4, files.stdout) // the project and three packages
})

/** Compiles a file of the project as a strict merchant does. Returns what the compiler says. */
async function compile(name: string, source: string): Promise<string> {
  writeFileSync(join(project, name), source)
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false']
  const form = ['--noEmit', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom', '--types', '']
  return run('tsc', [...form, ...strict, name], { cwd: project })
    .then(({ stdout }) => stdout)
    .catch((error: { stdout: string }) => error.stdout)
}

/** The guide's examples compile where Node's types are declared; the sample does not bring them along. */
const withProcess = (source: string) => `declare const process: { env: Record<string, string | undefined> }\n${source}`

test('the examples of the guide compile, and a wrong path, field or event does not', async () => {
  for (const [index, example] of typeScriptIn('typescript').entries()) {
    assert.equal(await compile(`guide-${index}.ts`, withProcess(example)), '')
  }
  const wrong = await compile('wrong.ts', wrongCalls)
  const lines = wrongCalls.split('\n').flatMap((line, index) => (line.includes('// wrong') ? [index + 1] : []))
  const told = [...wrong.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line))
  assert.deepEqual([...new Set(told)], lines, wrong)
})

const wrongCalls = `import { createSteadypay, type SteadypayError, type SteadypayEvent } from 'steadypay'
const steadypay = createSteadypay({ baseUrl: '', apiKey: '' })
declare const event: SteadypayEvent
declare const error: SteadypayError
await steadypay.GET('/v1/payments/{payment_id}', { params: { path: { payment_id: 'pay_1' } } })
await steadypay.GET('/v1/payment/{payment_id}', { params: { path: { payment_id: 'pay_1' } } }) // wrong
await steadypay.GET('/v1/payments/{payment_id}') // wrong
await steadypay.POST('/v1/customers', { body: { email: 1 } }) // wrong
await steadypay.GET('/v1/payments', { params: { query: { status: 'paid' } } }) // wrong
steadypay.list('/v1/account') // wrong
if (event.type === 'payout.paid') event.data.payout_id.slice()
if (event.type === 'payout.paid') event.data.refund_id // wrong
if (event.type === 'payout.payed') event.data // wrong
if (error.code === 'NOT_THERE') throw error // wrong
for await (const happened of steadypay.events.stream({ types: ['payout.paid'] })) {
  happened.sequence.toFixed()
  if (happened.type === 'payout.paid') happened.data.payout_id.slice()
  if (happened.type === 'payout.paid') happened.data.refund_id // wrong
  happened.sequence.slice() // wrong
}
steadypay.events.stream({ types: ['payout.payed'] }) // wrong
`

const sale = `import { createSteadypay, SteadypayError, type Schemas } from 'steadypay'
const steadypay = createSteadypay({ baseUrl: process.env['BASE_URL'] ?? '', apiKey: process.env['API_KEY'] ?? '' })
const item: Schemas['CreateCheckoutSession'] = {
  amount: '25.00', currency: 'USD', description: 'A print', success_url: 'https://example.com/thanks',
}
const session = await steadypay.POST('/v1/checkout-sessions', { body: item })
const { checkout_id } = session
const paid = await steadypay.POST('/v1/checkout-sessions/{checkout_id}/pay', {
  params: { path: { checkout_id } },
  headers: { Authorization: \`Bearer \${session.client_secret}\` },
  body: {
    payment_method: 'USD_CARD',
    card: { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' },
    customer_details: { email: 'ada@example.com', name: 'Ada Buyer' },
    confirm: true,
  },
})
const payment_id = paid.payment_id ?? ''
const receipt = await steadypay.GET('/v1/payments/{payment_id}/receipt', { params: { path: { payment_id } } })
const head = await receipt.slice(0, 5).text()
const body = { charge_id: payment_id, reference: 'return-1', amount: 5 }
const refund = await steadypay.POST('/api/v1/payments/refunds', { body })
const listed: string[] = []
const query = { checkout_id, limit: 1 }
for await (const payment of steadypay.list('/v1/payments', { params: { query } })) listed.push(payment.payment_id)
const failed = await steadypay
  .POST('/api/v1/payments/refunds', { body: { ...body, reference: 'return-2', amount: 20.01 } })
  .then(() => null)
  .catch((error: unknown) => error)
if (!(failed instanceof SteadypayError)) throw new Error('the refund was not refused')
const { code, status, requestId, docUrl } = failed
const upload = await steadypay.POST('/v1/utilities/uploads', {
  body: { file: new File(['not an image'], 'print.png', { type: 'image/png' }) },
}).catch((error: SteadypayError) => error.code)
const read = { payment_id, head, refund: refund.status, listed, upload }
console.log(JSON.stringify({ ...read, code, status, requestId, docUrl }))
`

test('a sale, a receipt, a refund and a refusal work in the project, against the real service', async () => {
  assert.equal(await compile('sale.ts', withProcess(sale)), '')
  const env = { ...process.env, BASE_URL: stack.baseUrl, API_KEY: stack.merchant.apiKey }
  const { stdout } = await run(process.execPath, ['sale.ts'], { cwd: project, env })
  const { payment_id, requestId, docUrl, ...rest } = JSON.parse(stdout) as Record<string, string>
  assert.match(requestId ?? '', /^[\w-]{1,64}$/)
  assert.match(docUrl ?? '', /\/docs\/errors#REFUND_EXCEEDS_REMAINING$/)
  assert.deepEqual(rest, {
    head: '%PDF-',
    refund: 'pending',
    listed: [payment_id],
    code: 'REFUND_EXCEEDS_REMAINING',
    status: 400,
    upload: 'VALIDATION_ERROR',
  })
  const payment = await stack.merchant.getPayment(String(payment_id))
  assert.equal(payment['status'], 'succeeded')
})

const followed = `import { createSteadypay, type StreamedEvent } from 'steadypay'
const steadypay = createSteadypay({ baseUrl: process.env['BASE_URL'] ?? '', apiKey: process.env['API_KEY'] ?? '' })
const stop = new AbortController()
const seen: StreamedEvent[] = []
const onBegun = () => void steadypay.POST('/v1/customers', { body: { email: 'grace@example.com' } })
for await (const event of steadypay.events.stream({ types: ['customer.created'], signal: stop.signal, onBegun })) {
  seen.push(event)
  if (event.type === 'customer.created' && event.data.email === 'grace@example.com') stop.abort()
}
console.log(JSON.stringify(seen.map(({ type, resource_id, sequence }) => [type, resource_id, typeof sequence])))
`

test('a stream of events is followed in the project, against the real service, until it is aborted', async () => {
  assert.equal(await compile('followed.ts', withProcess(followed)), '')
  const env = { ...process.env, BASE_URL: stack.baseUrl, API_KEY: stack.merchant.apiKey }
  const { stdout } = await run(process.execPath, ['followed.ts'], { cwd: project, env, timeout: 60_000 })
  const [seen, ...more] = JSON.parse(stdout) as [string, string, string][]
  assert.deepEqual([seen?.[0], seen?.[2], more], ['customer.created', 'number', []])
  assert.equal((await stack.merchant.call('GET', `/v1/customers/${seen?.[1]}`)).status, 200)
})
