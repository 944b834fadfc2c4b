import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findConnection } from '../../client/connection.ts'
import { recipes } from '../../client/recipe.ts'
import type { Step } from '../../client/sale-steps.ts'
import { operations } from '../../api/operations.ts'
import { eventTypes } from '../../domain/webhook/event.ts'
import { runClient, startClient, startFakeApi, testKey } from '../support/client.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'
import { ROOT } from '../../scripts/infra/paths.ts'

type Version = { version: string }

const stack = await useStack()
// The tests make more calls in a minute than a key of the standard tier has.
await stack.sql(`update api_keys set rate_tier = 'unlimited'`)

const run = (...args: string[]) => runClient(stack.baseUrl, args, { STEADYPAY_API_KEY: stack.merchant.apiKey })

test('triggers that make calls of the API produce their events on the real service', async () => {
  const types = ['collection.failed', 'collection.underpaid', 'customer.created', 'checkout.completed']
  for (const type of types) {
    const { code, stdout, stderr } = await run('trigger', type, '--json')
    assert.equal(code, 0, stderr)
    const { steps } = JSON.parse(stdout) as { steps: { ids: Record<string, string> }[] }
    const id = steps[0]?.ids['checkout_id'] ?? ''
    assert.match(id, /^chk_/)
    const recorded = () => stack.sql(`select 1 from events where type = ? and body like ?`, [type, `%${id}%`])
    const about =
      type === 'customer.created' ? () => stack.sql('select 1 from events where type = ?', [type]) : recorded
    await until(async () => (await about()).length === 1, `${type} is recorded`)
  }
})

test('triggers fund, approve and pay out a payout by calls alone, and produce its events', async () => {
  const carryOutPlan = async (type: string) => {
    const { code, stdout, stderr } = await run('trigger', type, '--json')
    assert.equal(code, 0, stderr)
    const { steps } = JSON.parse(stdout) as { steps: { call: string; ids: Record<string, string> }[] }
    const { ids } = steps.find(({ call }) => call === 'POST /v1/payouts') ?? {}
    assert.match(ids?.['id'] ?? '', /^pay_/)
    const recorded = () => stack.sql('select 1 from events where type = ? and resource_id = ?', [type, ids?.['id']])
    await until(async () => (await recorded()).length === 1, `${type} is recorded`)
  }
  await Promise.all(['payout.created', 'payout.paid', 'payout.failed', 'payout.returned'].map(carryOutPlan))
})

test('triggers of what takes days run a scenario, which produces their events about real objects', async () => {
  const types = [
    'checkout.expired',
    'dispute.evidence_due_soon',
    'customer.subscription.created',
    'customer.subscription.renewed',
    'customer.subscription.updated',
    'customer.subscription.trial_will_end',
    'customer.subscription.canceled',
    'customer.subscription.past_due',
    'invoice.paid',
    'invoice.payment_failed',
  ]
  for (const type of types) {
    const { code, stdout, stderr } = await run('trigger', type, '--json')
    assert.equal(code, 0, stderr)
    const { steps } = JSON.parse(stdout) as { steps: { call: string }[] }
    assert.equal(steps[0]?.call, 'POST /v1/test-helpers/scenarios')
    const [made] = await stack.sql<{ resource_id: string }>('select resource_id from events where type = ?', [type])
    assert.ok(made, `${type} is recorded`)
    const path = { chk: '/v1/checkout-sessions', dsp: '/v1/disputes', sub: '/v1/subscriptions', inv: '/v1/invoices' }
    const at = path[made.resource_id.slice(0, 3) as keyof typeof path]
    assert.equal((await stack.merchant.call('GET', `${at}/${made.resource_id}`)).status, 200, type)
  }
})

test('triggers dispute a payment by calls alone, and produce its events', async () => {
  for (const type of ['dispute.created', 'dispute.updated', 'dispute.won', 'dispute.lost']) {
    const { code, stdout, stderr } = await run('trigger', type, '--json')
    assert.equal(code, 0, stderr)
    const { steps } = JSON.parse(stdout) as { steps: { ids: Record<string, string> }[] }
    const id = steps.find(({ ids }) => ids['dispute_id'])?.ids['dispute_id'] ?? ''
    assert.match(id, /^dsp_/)
    const recorded = () => stack.sql('select 1 from events where type = ? and resource_id = ?', [type, id])
    await until(async () => (await recorded()).length === 1, `${type} is recorded`)
  }
})

test('--version prints the version of the package, without a key or a service', async () => {
  const { code, stdout, stderr } = await runClient('', ['--version'], {})
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Version
  assert.deepEqual([code, stdout, stderr], [0, `${version}\n`, ''])
})

test('events resend ends with 1 if no endpoint takes the event, and says so as text and as JSON', async () => {
  assert.equal((await run('trigger', 'checkout.expired')).code, 0)
  const [event] = await stack.sql<{ id: string }>(`select id from events where type = 'checkout.expired' limit 1`)
  const id = event?.id ?? ''
  const resent = await run('events', 'resend', id)
  assert.deepEqual([resent.code, resent.stdout], [1, ''])
  assert.match(resent.stderr, new RegExp(`${id} was not resent: no active endpoint takes it\\. .+ \\(NOT_SENT\\)\n$`))
  const { code, stdout, stderr } = await run('events', 'resend', id, '--json')
  assert.deepEqual([code, stdout, JSON.parse(stderr).error_code], [1, '', 'NOT_SENT'])
})

test('trigger prints each step and its ids, and listen forwards exactly what the service sends', async () => {
  const real = await startReceiver()
  const local = await startReceiver()
  const api = await startFakeApi()
  await stack.merchant.setWebhook(real.url)
  const { code, stdout } = await run('trigger', 'collection.succeeded')
  assert.equal(code, 0)
  assert.match(
    stdout,
    /^✔ a checkout session is created {2}checkout_id chk_\w+\n✔ the buyer pays by card {2}checkout_id/,
  )
  assert.match(stdout, /\nTriggered collection\.succeeded\.\n$/)
  await until(() => real.types().includes('collection.succeeded'), 'the delivery arrives')
  await stack.merchant.setWebhook(null)

  const delivery = real.received.find(({ event }) => event.type === 'collection.succeeded')
  assert.ok(delivery)
  const client = startClient(api.baseUrl, ['listen', '--forward-to', local.url, '--secret', 'a-test-secret'])
  await client.says('Ctrl-C')
  const sequence = Number(delivery.headers['x-service-sequence'])
  api.events.push({ ...JSON.parse(delivery.body), resource_id: 'pay_1', sequence })
  await until(() => local.received.length === 1, 'it is forwarded')
  await client.end('SIGINT')

  const [forwarded] = local.received
  assert.equal(forwarded?.body, delivery.body)
  const differs = ['host', 'x-service-timestamp', 'x-service-signature', 'webhook-timestamp', 'webhook-signature']
  const fixed = (headers: object) =>
    Object.entries(headers)
      .filter(([name]) => !differs.includes(name))
      .toSorted()
  assert.deepEqual(fixed(forwarded?.headers ?? {}), fixed(delivery.headers))
  assert.deepEqual(Object.keys(forwarded?.headers ?? {}).toSorted(), Object.keys(delivery.headers).toSorted())
  await Promise.all([real.close(), local.close(), api.close()])
})

test('checkout create answers with the session and the address to pay at', async () => {
  const sale = ['checkout', 'create', '--amount', '25.00', '--currency', 'USD', '--method', 'card']
  const { stdout } = await run(...sale, '--reference', 'order-1')
  const [, id = '', url = ''] = /^(chk_\w+) {2}expires at \S+Z\n(http\S+)\n$/.exec(stdout) ?? []
  assert.equal((await stack.merchant.getCheckout(id))['reference'], 'order-1')
  const authorization = `Bearer ${url.split('/checkout/')[1]}`
  const offer = await stack.merchant.call('GET', `/v1/checkout-sessions/${id}/public`, undefined, { authorization })
  assert.equal(offer.status, 200, offer.text)
  const made = JSON.parse((await run(...sale, '--json')).stdout) as Record<string, unknown>
  assert.equal(made['amount'], '25.00')
})

test('a refusal of the API is printed with each field error, and ends with 1', async () => {
  const sale = ['checkout', 'create', '--amount', '25.001', '--currency', 'USD', '--success-url', 'nowhere']
  const { code, stdout, stderr } = await run(...sale)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^✖ .+ \(VALIDATION_ERROR\)$/m)
  assert.match(stderr, /^ {4}amount: /m)
  assert.match(stderr, /^ {4}success_url: /m)
  const json = JSON.parse((await run(...sale, '--json')).stderr) as { error_code: string; errors: { field: string }[] }
  assert.equal(json.error_code, 'VALIDATION_ERROR')
  assert.deepEqual(json.errors.map(({ field }) => field).toSorted(), ['amount', 'success_url'])
})

test('for an unknown key the message says where it was read, and never shows it', async () => {
  const { code, stdout, stderr } = await runClient(stack.baseUrl, ['trigger', 'collection.succeeded'])
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /The API key of STEADYPAY_API_KEY was refused: .+ \(UNAUTHORIZED\)/)
  assert.ok(!stderr.includes(testKey))
})

test('without a server the message names the address and what to do', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  server.close()
  const { code, stderr } = await runClient('http://unused.invalid', ['events', 'list', '--base-url', url])
  assert.equal(code, 1)
  assert.ok(stderr.includes(`Nothing answers at ${url} (connection refused). Run npm start`), stderr)
})

test('a wrong command line ends with 2 and a suggestion', async () => {
  const typo = await run('trigger', 'colection.suceeded')
  assert.equal(typo.code, 2)
  assert.match(typo.stderr, /Did you mean collection\.succeeded\?/)
  for (const type of eventTypes) assert.ok(typo.stderr.includes(`  ${type}`), type)
  const wrong = [
    [],
    ['trigger'],
    ['evnts'],
    ['listen'],
    ['listen', '--forward-to', 'ftp://localhost'],
    ['events', 'list', '--limit', '0'],
  ]
  for (const args of wrong) assert.equal((await run(...args)).code, 2, args.join(' '))
  const json = await run('checkout', 'create', '--currency', 'USD', '--json')
  assert.equal((JSON.parse(json.stderr) as { error_code: string }).error_code, 'USAGE')
  assert.equal((await run('--help')).code, 0)
})

test('every event type has a recipe of calls that the API has, or of a scenario, and none sends a sample', async () => {
  const scenario = '/v1/test-helpers/scenarios'
  const known = operations.map(({ method, path }) => RegExp(`^${method} ${path.replaceAll(/{\w+}/g, '[a-z]+_1')}$`))
  assert.deepEqual(Object.keys(recipes), [...eventTypes])
  for (const type of eventTypes) {
    const calls: Parameters<Step>[1][] = []
    await recipes[type](async (_what, call) => {
      calls.push(call)
      return madeBy(call.path)
    })
    for (const { method = 'POST', path } of calls) {
      const call = `${method.toLowerCase()} ${path}`
      assert.ok(
        known.some((operation) => operation.test(call)),
        `${type}: ${call}`,
      )
      assert.notEqual(path, '/v1/test-helpers/events/trigger', type)
    }
    assert.ok(calls.length > 1 || calls[0]?.path === scenario, type)
  }
})

/** What a call has made, as far as recipes read it. */
const madeBy = (path: string) => ({
  id: path.includes('destinations') ? 'pd_1' : 'pay_1',
  charge: { payment_id: 'pay_1' },
  recurring: { subscription_id: 'sub_1' },
  items: [{ platform_fee_id: 'fee_1' }],
  client_secret: 'chk_1_secret',
  checkout_id: 'chk_1',
  payment_id: 'pay_1',
  quote_id: 'quo_1',
  customer_id: 'cust_1',
  dispute_id: 'dsp_1',
  product_id: 'prod_1',
  account_id: 'acct_1',
  transfer_id: 'tr_1',
})

test('environment variables win over .local/dev.json, and without both the error names both', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'dev.json')
  assert.throws(
    () => findConnection({ env: {}, file }),
    /no API key: run npm start.+\.local\/dev\.json.+STEADYPAY_API_KEY/,
  )
  writeFileSync(file, JSON.stringify({ base_url: 'http://127.0.0.1:3000', api_key: 'kept' }))
  const kept = { baseUrl: 'http://127.0.0.1:3000', apiKey: 'kept', keySource: '.local/dev.json' }
  assert.deepEqual(findConnection({ env: {}, file }), kept)
  const env = { STEADYPAY_API_KEY: 'given', STEADYPAY_BASE_URL: 'https://example.com/pay/' }
  const given = { baseUrl: 'https://example.com/pay', apiKey: 'given', keySource: 'STEADYPAY_API_KEY' }
  assert.deepEqual(findConnection({ env, file }), given)
  assert.equal(findConnection({ env, file, baseUrl: 'http://localhost:1' }).baseUrl, 'http://localhost:1')
  assert.throws(() => findConnection({ env, file, baseUrl: 'nowhere' }), /nowhere is not a valid service URL/)
  writeFileSync(file, '{')
  assert.throws(() => findConnection({ env: {}, file }), /cannot be read/)
})

test('the launcher passes on arguments, exit code and signals', async () => {
  const launcher = join(ROOT, 'client/steadypay.mjs')
  const api = await startFakeApi()
  const env = { ...process.env, STEADYPAY_BASE_URL: api.baseUrl, STEADYPAY_API_KEY: testKey }
  const launch = (...args: string[]) =>
    spawn(launcher, args, { env, cwd: tmpdir(), stdio: ['ignore', 'pipe', 'ignore'] })

  assert.deepEqual(await once(launch('evnts'), 'exit'), [2, null])
  const listener = launch('listen', '--forward-to', 'localhost:1', '--json')
  await once(listener.stdout, 'data')
  listener.kill('SIGINT')
  assert.deepEqual(await once(listener, 'exit'), [0, null])
  await api.close()
})
