import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetKeys } from '../../domain/checkout/crypto.ts'
import { sale } from '../support/merchant.ts'
import { eventsOfSale } from '../support/sale-events.ts'
import { useStack } from '../support/use-stack.ts'

const minute = 60_000
const hour = 60 * minute
// Real time passes too, and on a busy machine a call takes seconds, so a block takes longer than a few calls.
const blockMs = 20_000
const confirmedMs = 2 * blockMs + 5_000

const stack = await useStack({ skipping: true, invariants: 'after each test', pace: { blockMs } })

const open = (body: Record<string, unknown> = {}) => stack.merchant.createCheckout({ ...sale, ...body })
type Details = { asset: string; tx_hash: string; confirmations: number }
const read = async (id: string) => {
  const { status, amount_received, payment_method_details } = await stack.merchant.getPayment(id)
  return { status, amount_received, details: payment_method_details as Details | null }
}

// 25.00 USD at the sandbox's prices: BNB 612.40, ETH 3120.75, SOL 148.32, rounded up at the asset's last decimal.
const due: Record<string, string> = {
  BNB_BEP20: '0.04082300',
  ETH_ETH: '0.00801090',
  SOL_SOL: '0.16855448',
  USDC_BEP20: '25.000000',
  USDT_BEP20: '25.000000',
  USDT_ERC20: '25.000000',
  USDT_SOL: '25.000000',
  USDT_TRC20: '25.000000',
}
const forms: Record<string, RegExp> = {
  BEP20: /^0x73616e64626f78[0-9a-f]{26}$/,
  ERC20: /^0x73616e64626f78[0-9a-f]{26}$/,
  ETH: /^0x73616e64626f78[0-9a-f]{26}$/,
  SOL: /^sandbox[1-9A-HJ-NP-Za-km-z]{25,37}$/,
  TRC20: /^Tsandbox[1-9A-HJ-NP-Za-km-z]{26}$/,
}

for (const asset of assetKeys) {
  test(`${asset}: the amount due, once confirmed, pays the sale in full and settles in dollars`, async () => {
    const session = await open()
    const { payment_id, payment_status, next_action } = await stack.merchant.payByCrypto(session, asset)
    assert.equal(payment_status, 'requires_action')
    const { address = '', expires_at, ...rest } = next_action
    const network = asset.split('_')[1] ?? ''
    assert.deepEqual(rest, { type: 'crypto_address', asset, network, amount: due[asset] })
    assert.match(address, forms[network] as RegExp)
    assert.equal(expires_at, session.expires_at)
    await stack.merchant.deposit(payment_id, { tx_hash: `hash${asset.replaceAll('_', '')}` })
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
    assert.deepEqual(await read(payment_id), {
      status: 'succeeded',
      amount_received: '25.00',
      details: { asset, tx_hash: `hash${asset.replaceAll('_', '')}`, confirmations: 2 },
    })
    assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['collection.succeeded', 'checkout.completed'])
    const [event] = await stack.sql<{ body: string }>('select body from events where resource_id = ?', [payment_id])
    const { data } = JSON.parse(event?.body ?? '{}')
    assert.deepEqual([data.settlement_amount, data.settlement_currency], ['24.75', 'USD'])
    assert.ok((await stack.historyLength('checkout', session.checkout_id)) <= 60)
  })
}

test('coins count only once they are confirmed, and an open session does not end meanwhile', async () => {
  const session = await open({ expires_in_minutes: 1 })
  const { payment_id } = await stack.merchant.payByCrypto(session)
  await stack.skip(minute - blockMs)
  const seen = await stack.merchant.deposit(payment_id)
  assert.equal(seen.body['status'], 'processing')
  assert.deepEqual(seen.body['amount_received'], '0.00')
  assert.equal((seen.body['payment_method_details'] as unknown as Details).confirmations, 0)
  assert.equal((await stack.merchant.cancel(session.checkout_id)).status, 409)
  await stack.skip(blockMs)
  assert.equal((await read(payment_id)).details?.confirmations, 1)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.equal((await read(payment_id)).status, 'succeeded')
})

test('too few coins are underpaid: the buyer is asked for the rest in the asset, and may send it', async () => {
  const session = await open()
  const { payment_id } = await stack.merchant.payByCrypto(session, 'ETH_ETH')
  await stack.merchant.deposit(payment_id, { amount: '0.00500000' })
  await stack.skip(confirmedMs)
  // 0.005 ETH are 15.60375 USD: only whole cents count, rounded down.
  assert.deepEqual(await read(payment_id).then(({ status, amount_received }) => [status, amount_received]), [
    'underpaid',
    '15.60',
  ])
  const path = `/v1/checkout-sessions/${session.checkout_id}/public`
  const { body } = await stack.merchant.call('GET', path, undefined, {
    authorization: `Bearer ${session.client_secret}`,
  })
  assert.equal(body['payment_status'], 'requires_action')
  assert.equal((body['next_action'] as unknown as { amount: string }).amount, '0.00301090')
  await stack.merchant.deposit(payment_id)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  const { status, amount_received } = await read(payment_id)
  assert.deepEqual([status, amount_received], ['succeeded', '25.00'])
  const events = ['collection.underpaid', 'collection.succeeded', 'checkout.completed']
  assert.deepEqual(await eventsOfSale(stack, session.checkout_id), events)
})

test('the rest of the coins counts once it is confirmed, however long after the first part it is sent', async () => {
  const [inTime, late] = [await open(), await open({ expires_in_minutes: 5 })]
  const payments: string[] = []
  for (const session of [inTime, late]) {
    const { payment_id } = await stack.merchant.payByCrypto(session)
    await stack.merchant.deposit(payment_id, { amount: '10' })
    payments.push(payment_id)
  }
  await stack.skip(10 * minute)
  for (const id of payments) {
    assert.equal((await read(id)).status, 'underpaid')
    await stack.merchant.deposit(id)
  }
  await stack.skip(confirmedMs)
  for (const id of payments) assert.equal((await read(id)).status, 'succeeded')
  assert.equal(await stack.finished('checkout', inTime.checkout_id), 'completed')
  assert.ok((await stack.historyLength('checkout', inTime.checkout_id)) <= 100)
  const events = ['collection.underpaid', 'checkout.expired', 'collection.succeeded']
  assert.deepEqual(await eventsOfSale(stack, late.checkout_id), events)
})

test('coins that are on their way when the merchant accepts a part count once they are confirmed', async () => {
  const session = await open({ expires_in_minutes: 5 })
  const { payment_id } = await stack.merchant.payByCrypto(session)
  await stack.merchant.deposit(payment_id, { amount: '10' })
  await stack.skip(10 * minute)
  await stack.merchant.deposit(payment_id)
  assert.equal((await stack.merchant.call('POST', `/v1/payments/${payment_id}/accept`)).status, 200)
  await stack.skip(confirmedMs)
  assert.equal((await read(payment_id)).amount_received, '25.00')
  const [surplus] = await stack.sql<{ amount: string }>(
    `select trim_scale(e.amount)::text as amount from ledger_entries e
     join ledger_transactions t on t.id = e.transaction_id
     where e.book = 'merchant' and t.kind = 'surplus' and t.source_id like ?`,
    [`${payment_id}/%`],
  )
  assert.equal(surplus?.amount, '15')
})

test('less than a cent of coins counts only together with what follows', async () => {
  const session = await open()
  const { payment_id } = await stack.merchant.payByCrypto(session)
  await stack.merchant.deposit(payment_id, { amount: '0.009999' })
  await stack.skip(confirmedMs)
  assert.deepEqual((await read(payment_id)).status, 'requires_action')
  await stack.merchant.deposit(payment_id)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.equal((await read(payment_id)).amount_received, '25.00')
})

test('too many coins at once all count, and so do those that come after success', async () => {
  const session = await open()
  const { payment_id } = await stack.merchant.payByCrypto(session)
  await stack.merchant.deposit(payment_id, { amount: '30.5' })
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.equal((await read(payment_id)).amount_received, '30.50')
  assert.equal((await stack.merchant.deposit(payment_id)).status, 409) // nothing is missing
  assert.equal((await stack.merchant.deposit(payment_id, { amount: '2.25' })).status, 200)
  await stack.dispatched()
  await stack.finished('checkout', session.checkout_id)
  assert.equal((await read(payment_id)).amount_received, '32.75')
  const posted = await stack.sql<{ kind: string; amount: string }>(
    `select t.kind, trim_scale(e.amount)::text as amount from ledger_entries e
     join ledger_transactions t on t.id = e.transaction_id
     where e.book = 'merchant' and (t.source_id = ?
       or t.source_id in (select payment_id || '/' || tx_hash from simulated_coins where payment_id = ?))
     order by t.created_at`,
    [payment_id, payment_id],
  )
  assert.deepEqual(posted, [
    { kind: 'settlement', amount: '30.25' },
    { kind: 'surplus', amount: '2.25' },
  ])
})

test('coins that arrive after expiry are confirmed and are late money', async () => {
  const session = await open({ expires_in_minutes: 5 })
  const { payment_id } = await stack.merchant.payByCrypto(session)
  await stack.skip(71 * hour)
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['status'], 'expired')
  await stack.merchant.deposit(payment_id)
  await stack.skip(confirmedMs)
  assert.equal((await read(payment_id)).status, 'succeeded')
  await stack.finished('checkout', session.checkout_id)
  assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['checkout.expired', 'collection.succeeded'])
  const [event] = await stack.sql<{ body: string }>('select body from events where resource_id = ?', [payment_id])
  assert.equal(JSON.parse(event?.body ?? '{}').data.late, true)
})

test('more than 72 hours after expiry the address is no longer watched', async () => {
  const session = await open({ expires_in_minutes: 5 })
  const { payment_id } = await stack.merchant.payByCrypto(session)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  assert.equal((await stack.merchant.deposit(payment_id, { amount: '25' })).status, 409)
})

test('coins for an earlier choice complete the open session', async () => {
  const session = await open()
  const first = await stack.merchant.payByCrypto(session)
  const second = await stack.merchant.payByCrypto(session, 'SOL_SOL')
  await stack.merchant.deposit(first.payment_id)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.equal((await read(first.payment_id)).status, 'succeeded')
  assert.equal((await read(second.payment_id)).status, 'canceled')
})

test('the same transaction hash counts once, and belongs to one payment', async () => {
  const [one, other] = [await open(), await open()]
  const { payment_id } = await stack.merchant.payByCrypto(one)
  const wrong = await stack.merchant.payByCrypto(other)
  const coins = { amount: '10', tx_hash: 'sameTransaction' }
  for (let times = 0; times < 2; times++) assert.equal((await stack.merchant.deposit(payment_id, coins)).status, 200)
  assert.equal((await stack.merchant.deposit(wrong.payment_id, coins)).status, 409)
  await stack.skip(confirmedMs)
  assert.equal((await read(payment_id)).amount_received, '10.00')
})
