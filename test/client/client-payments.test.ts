import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { runClient, startClient, startFakeApi } from '../support/client.ts'
import { cards, type Merchant, sale } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What `npx steadypay payments` and `refund` print and do, against the real service.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

const runAs = ({ apiKey }: Merchant, ...args: string[]) => runClient(stack.baseUrl, args, { STEADYPAY_API_KEY: apiKey })
const run = (...args: string[]) => runAs(stack.merchant, ...args)

async function outputOf(merchant: Merchant, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runAs(merchant, ...args)
  assert.deepEqual([code, stderr], [0, ''])
  return stdout
}
type Json = Record<string, unknown>
const jsonOf = async (merchant: Merchant, ...args: string[]) =>
  JSON.parse(await outputOf(merchant, ...args, '--json')) as Json & { items: Json[] }

test('payments list shows the newest first, as many as asked for, and only what the filters let through', async () => {
  const { merchant } = await api.addMerchant()
  assert.equal(await outputOf(merchant, 'payments', 'list'), 'No payments.\n')
  const paid = await merchant.chargeByCard({ ...sale, reference: 'order-1' })
  const failed = await merchant.payByCard(await merchant.createCheckout(), cards.declined)
  const lines = (await outputOf(merchant, 'payments', 'list')).trimEnd().split('\n')
  assert.match(lines[0] ?? '', /^created at \(UTC\) +payment +amount +status +method +failure +reference$/)
  assert.match(
    lines[1] ?? '',
    new RegExp(`${String(failed['payment_id'])} +25\\.00 USD +failed +USD_CARD +card_declined$`),
  )
  assert.match(lines[2] ?? '', new RegExp(`${paid} +25\\.00 USD +succeeded +USD_CARD +order-1$`))
  assert.equal(lines.length, 3)
  assert.match(
    await outputOf(merchant, 'payments', 'list', '--limit', '1'),
    /\nThese are the newest 1\. There are more\.\n$/,
  )
  const idsOf = async (...filters: string[]) =>
    (await jsonOf(merchant, 'payments', 'list', ...filters)).items.map(({ payment_id }) => payment_id)
  assert.deepEqual(await idsOf('--status', 'succeeded'), [paid])
  assert.deepEqual(await idsOf('--reference', 'order-1', '--method', 'USD_CARD'), [paid])
  assert.deepEqual(await idsOf('--before', '2020-01-01T00:00:00Z'), [])
  assert.deepEqual(await idsOf('--after', '2020-01-01T00:00:00Z'), [failed['payment_id'], paid])
})

test('payments list --json has all pages in one document', async () => {
  const page = (from: number, next_cursor: string | null) => ({
    status: 200,
    body: {
      items: Array.from({ length: 100 }, (_, index) => ({ payment_id: `pay_${from + index}` })),
      pagination: { next_cursor, has_more: next_cursor !== null },
    },
  })
  const fake = await startFakeApi(({ query }) => (query.get('cursor') ? page(100, null) : page(0, 'next')))
  const { stdout } = await runClient(fake.baseUrl, ['payments', 'list', '--limit', '200', '--json'])
  const { items } = JSON.parse(stdout) as { items: Json[] }
  assert.deepEqual([items.length, items[199]?.['payment_id'], fake.calls.length], [200, 'pay_199', 2])
  await fake.close()
})

test('payments get shows a payment, and control characters of a reference do not reach the terminal', async () => {
  const { merchant } = await api.addMerchant()
  const id = await merchant.chargeByCard({ ...sale, reference: 'order-7' })
  const text = await outputOf(merchant, 'payments', 'get', id)
  for (const line of [id, 'Amount       25.00 USD', 'Status       succeeded', 'Reference    order-7']) {
    assert.ok(text.split('\n').includes(line), `${line} in ${text}`)
  }
  assert.deepEqual(await jsonOf(merchant, 'payments', 'get', id), await merchant.getPayment(id))
  const hostile = { payment_id: 'pay_1', amount: '1.00', currency: 'USD', status: 'succeeded', refunded_amount: '0.00' }
  const rest = { payment_method: 'USD_CARD', reference: '\u001B[2Jx\r', created_at: '2026-01-01T00:00:00Z' }
  const nothing = {
    failure_message: null,
    customer: null,
    customer_details: null,
    checkout_id: null,
    completed_at: null,
  }
  const fake = await startFakeApi(() => ({ status: 200, body: { ...hostile, ...rest, ...nothing } }))
  const { stdout } = await runClient(fake.baseUrl, ['payments', 'get', 'pay_1'], { NO_COLOR: '1' })
  assert.match(stdout, /^Reference {5}\[2Jx $/m)
  await fake.close()
})

test('refund gives back a part, then the rest, to the last digit', async () => {
  const { merchant } = await api.addMerchant()
  const id = await merchant.chargeByCard()
  const part = (await runAs(merchant, 'refund', id, '--amount', '005.10', '--reason', 'torn')).stdout
  const [refund_id] = /ref_\w+/.exec(part) ?? []
  assert.match(part, /^✔ ref_\w{34} {2}5\.10 {2}pending, reference cli-[0-9a-f]{8}\n$/)
  const read = await merchant.getRefund(String(refund_id))
  assert.deepEqual([read['requested_amount'], read['reason']], ['5.10', 'torn'])
  const rest = await jsonOf(merchant, 'refund', id, '--reference', 'rest')
  assert.equal(rest['reference'], 'rest')
  assert.match((await runAs(merchant, 'refund', id)).stderr, /\((CHARGE_NOT_REFUNDABLE|REFUND_EXCEEDS_REMAINING)\)/)
})

test('the same key refunds once', async () => {
  const { merchant } = await api.addMerchant()
  const id = await merchant.chargeByCard()
  const again = ['refund', id, '--amount', '1.00', '--key', 'return-of-order-1']
  const [first, second] = [await jsonOf(merchant, ...again), await jsonOf(merchant, ...again)]
  assert.equal(first['refund_id'], second['refund_id'])
  const { total } = (await merchant.call('GET', `/api/v1/payments/refunds?charge_id=${id}`)).body
  assert.equal(Number(total), 1)
})

test('a refusal has its code, its fields and the page about it, as text and as JSON', async () => {
  const id = await stack.merchant.chargeByCard()
  const tooMuch = ['refund', id, '--amount', '25.01']
  const { code, stdout, stderr } = await run(...tooMuch)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^✖ .+ \(REFUND_EXCEEDS_REMAINING\)\n/m)
  assert.match(stderr, /\nSee http:\/\/\S+\/docs\/errors#REFUND_EXCEEDS_REMAINING\nRequest \S+\n$/)
  const json = JSON.parse((await run(...tooMuch, '--json')).stderr) as Json
  assert.equal(json['error_code'], 'REFUND_EXCEEDS_REMAINING')
  assert.match(String(json['doc_url']), /#REFUND_EXCEEDS_REMAINING$/)
  const other = await api.addMerchant()
  const foreign = await runAs(other.merchant, 'refund', id)
  assert.deepEqual([foreign.code, foreign.stdout], [1, ''])
  assert.match(foreign.stderr, /\((FORBIDDEN|NOT_FOUND)\)/)
  assert.match((await run('payments', 'get', newId('pay', 0))).stderr, /\(NOT_FOUND\)/)
})

test('a wrong amount, status or limit ends with 2, without a call', async () => {
  const fake = await startFakeApi()
  for (const args of [
    ['refund', 'pay_1', '--amount', '1e3'],
    ['refund', 'pay_1', '--amount', '-5'],
    ['payments', 'list', '--status', 'paid'],
    ['payments', 'list', '--limit', '0'],
  ]) {
    const { code } = await runClient(fake.baseUrl, args)
    assert.equal(code, 2, args.join(' '))
  }
  assert.deepEqual(fake.calls, [])
  await fake.close()
})

test('a refund without an answer says with which key it may be tried again, and for how long', async () => {
  const { code, stderr } = await runClient('http://127.0.0.1:1', ['refund', 'pay_1', '--key', 'return-7'])
  assert.equal(code, 1)
  assert.match(stderr, /may have been made: with --key return-7 .+ for 24 hours after its first use\..+\(NO_ANSWER\)/)
  assert.match(stderr, /Later, first read .+ GET \/api\/v1\/payments\/refunds\?charge_id=pay_1\./)
  const fresh = (await runClient('http://127.0.0.1:1', ['refund', 'pay_1'])).stderr
  const [, end = ''] = /may have been made: with --key \S{36} .+ until (\S+ \S+) UTC \(24 hours\)/.exec(fresh) ?? []
  const left = Date.parse(`${end}Z`) - Date.now()
  assert.ok(left > 23 * 3_600_000 && left <= 24 * 3_600_000, fresh)
})

test('a refund that is stopped while it waits for its answer has told its key', async (t) => {
  const server = createServer()
  const called = once(server, 'request')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  const client = startClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, ['refund', 'pay_1'])
  const [request] = (await called) as [AsyncIterable<Buffer>]
  const sent = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()) as Json
  const { stdout, stderr } = await client.end('SIGINT')
  assert.equal(stdout, '')
  assert.ok(stderr.includes(`--key ${String(sent['idempotency_key'])} `), stderr)
})

test('a refund that fails on the way says its key too, beside what the answer says', async (t) => {
  const failed = { status: 500, headers: { 'x-request-id': 'call-1' } }
  const refusal = {
    detail: 'it failed',
    error_code: 'INTERNAL_SERVER_ERROR',
    doc_url: 'https://pay.example/docs/errors',
  }
  const answers = [
    { status: 504, headers: { 'content-type': 'text/html' }, body: '<h1>timeout</h1>' },
    { ...failed, body: refusal },
    { status: 400, body: { detail: 'it is too much', error_code: 'REFUND_EXCEEDS_REMAINING' } },
  ]
  const fake = await startFakeApi(() => answers.shift())
  t.after(() => fake.close())
  const says = async () => (await runClient(fake.baseUrl, ['refund', 'pay_1', '--key', 'return-7'])).stderr
  assert.match(await says(), /may have been made: with --key return-7 .+\(BAD_ANSWER\)/)
  const fromUs = await says()
  assert.match(fromUs, /it failed\. The refund may have been made: with --key return-7 .+\(INTERNAL_SERVER_ERROR\)/)
  assert.match(fromUs, /See https:\/\/pay\.example\/docs\/errors\nRequest call-1/)
  assert.doesNotMatch(await says(), /--key/)
})
