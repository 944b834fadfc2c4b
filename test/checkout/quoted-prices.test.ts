import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { type Corridor, corridorKeys, corridorOf } from '../../domain/corridor.ts'
import { sandboxExchangeRates } from '../../rails/exchange-rates.ts'
import type { ChargeOrder } from '../../rails/rail.ts'
import { bearer } from '../support/api.ts'
import { newProduct } from '../support/cart.ts'
import { card, cards, sale, setup, transferSale } from '../support/merchant.ts'
import { createLink, opened, openPrice } from '../support/payment-link.ts'
import { changeAccount } from '../support/rows.ts'
import { type Stack } from '../support/stack.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

// Buyers are charged the price that they are shown when they choose how to pay, even if a deploy changes it before they
// confirm. Workers and API of a stack share this process, so a change of the table here applies to both.
const fees = new Map(corridorKeys.map((key) => [key, { ...corridorOf(key).fee }]))

const stack = await useStack()
await useApi(stack)
afterEach(async () => {
  restoreFees()
  Object.assign(stack.services.rates, sandboxExchangeRates)
  await changeAccount(stack, stack.organizationId, { feePreference: 'org_pays' })
  await assertInvariants(stack)
})

// Most rules have no cap, and other files of this process read them.
const restoreFees = () =>
  fees.forEach((fee, key) => {
    Reflect.deleteProperty(corridorOf(key).fee, 'cap')
    Object.assign(corridorOf(key).fee, fee)
  })

/** A deploy with another table of fees: 50 % and a fixed 1 for everything. */
function deployOtherFees(): void {
  for (const key of corridorKeys) Object.assign(corridorOf(key).fee, { percent: '50', fixed: '1', cap: '100000000' })
}

type Session = Awaited<ReturnType<Stack['merchant']['createCheckout']>>
type Shown = Record<'payment_status' | 'amount' | 'fee' | 'total' | 'currency' | 'rate', string>

const customerPays = () => changeAccount(stack, stack.organizationId, { feePreference: 'customer_pays' })

const priceIn = ({ amount, fee, total, currency, rate }: Shown) => ({ amount, fee, total, currency, rate })

/** What the buyer reads of the session. */
async function seen({ checkout_id, client_secret }: Session): Promise<Shown> {
  const path = `/v1/checkout-sessions/${checkout_id}/public`
  return (await stack.merchant.call('GET', path, undefined, bearer(client_secret))).body as unknown as Shown
}

/** Chooses a payment method without confirming it, and returns what is shown then. */
async function choose(session: Session, body: Record<string, unknown>): Promise<Shown> {
  const { body: attempt, text } = await stack.merchant.pay(session, body)
  assert.equal(attempt['payment_status'], 'requires_confirmation', text)
  return attempt as unknown as Shown
}

/** The amount, the settled amount and the fee of the session's only payment. */
async function charged({ checkout_id }: Session) {
  const rows = await stack.sql<Record<'status' | 'amount' | 'settles' | 'fee', string>>(
    `select p.status, trim_scale(p.amount)::text as amount, trim_scale(p.settles)::text as settles,
       (select trim_scale(sum(e.amount))::text from ledger_entries e
        join ledger_transactions t on t.id = e.transaction_id where t.source_id = p.id and e.book = 'fees') as fee
     from payments p where p.checkout_id = ?`,
    [checkout_id],
  )
  assert.equal(rows.length, 1)
  return rows[0]
}

const byCard = (payment_method: Corridor = 'USD_CARD', number = cards.success) => ({
  payment_method,
  card: card(number),
})

test('a card is charged the total and the fee that were shown, if the buyer pays the fee', async () => {
  await customerPays()
  const session = await stack.merchant.createCheckout()
  const shown = priceIn(await choose(session, byCard()))
  assert.deepEqual(shown, { amount: '25.00', fee: '1.03', total: '26.03', currency: 'USD', rate: '1' })
  deployOtherFees()
  assert.deepEqual(priceIn(await seen(session)), shown, 'before it is confirmed')
  const { body } = await stack.merchant.confirm(session)
  assert.equal(body['payment_status'], 'succeeded')
  assert.deepEqual(priceIn(body as unknown as Shown), shown, 'in the answer')
  assert.deepEqual(await charged(session), { status: 'succeeded', amount: '26.03', settles: '25', fee: '1.03' })
  assert.deepEqual(priceIn(await seen(session)), shown, 'on the receipt')
  assert.equal((await stack.merchant.getPayment(String(body['payment_id'])))['amount'], '26.03')
})

test('the merchant pays the fee that applied when the buyer chose', async () => {
  const session = await stack.merchant.createCheckout()
  const shown = await choose(session, byCard())
  assert.deepEqual([shown.fee, shown.total], ['0.00', '25.00'])
  deployOtherFees()
  await stack.merchant.confirm(session)
  assert.deepEqual(await charged(session), { status: 'succeeded', amount: '25', settles: '23.97', fee: '1.03' })
})

test('in another currency the rate, the converted amount and the fee stay as shown', async () => {
  await customerPays()
  const session = await stack.merchant.createCheckout()
  const shown = priceIn(await choose(session, byCard('NGN_CARD')))
  assert.deepEqual(shown, { amount: '40000.00', fee: '700.00', total: '40700.00', currency: 'NGN', rate: '1600' })
  deployOtherFees()
  stack.services.rates.rate = async () => '2000'
  assert.deepEqual(priceIn((await stack.merchant.confirm(session)).body as unknown as Shown), shown)
  assert.deepEqual(await charged(session), { status: 'succeeded', amount: '40700', settles: '40000', fee: '700' })
  assert.deepEqual(priceIn(await seen(session)), shown)
})

test('another choice is priced by the new table', async () => {
  await customerPays()
  const session = await stack.merchant.createCheckout()
  await choose(session, byCard())
  deployOtherFees()
  const again = await choose(session, byCard())
  assert.deepEqual([again.fee, again.total], ['13.50', '38.50'])
  await stack.merchant.confirm(session)
  assert.equal((await charged(session))?.amount, '38.5')
})

test('a transfer settles at the price of its choice, also when a later choice has another price', async () => {
  await customerPays()
  const session = await stack.merchant.createCheckout(transferSale)
  const { payment_id } = await stack.merchant.payByTransfer(session)
  const shown = priceIn(await seen(session))
  assert.deepEqual([shown.fee, shown.total], ['50.00', '5050.00'])
  deployOtherFees()
  assert.deepEqual(priceIn(await seen(session)), shown)
  const dearer = await choose(session, byCard('NGN_CARD'))
  assert.equal(dearer.total, '7501.00')
  await stack.merchant.deposit(payment_id)
  await until(
    async () => (await stack.merchant.getCheckout(session.checkout_id))['status'] === 'completed',
    'it is paid',
  )
  assert.deepEqual(await charged(session), { status: 'succeeded', amount: '5050', settles: '5000', fee: '50' })
  assert.deepEqual(priceIn(await seen(session)), shown, 'the receipt shows what was paid')
})

test('coins are requested and settled at the price of the choice', async () => {
  await customerPays()
  const session = await stack.merchant.createCheckout(sale)
  const { payment_id, next_action } = await stack.merchant.payByCrypto(session)
  const shown = await seen(session)
  assert.deepEqual([shown.fee, shown.total, next_action['amount']], ['0.25', '25.25', '25.250000'])
  deployOtherFees()
  const later = (await seen(session)) as Shown & { next_action: Record<string, string> }
  assert.deepEqual([priceIn(later), later.next_action['amount']], [priceIn(shown), '25.250000'])
  await stack.merchant.deposit(payment_id)
  await until(async () => (await stack.merchant.getPayment(payment_id))['status'] === 'succeeded', 'it is paid')
  assert.deepEqual(await charged(session), { status: 'succeeded', amount: '25.25', settles: '25', fee: '0.25' })
})

test('a picked product with a price of the buyer’s choice is charged as it was shown', async () => {
  await customerPays()
  const custom = { price_type: 'custom', amount: null, minimum_amount: '3.00' }
  const product_id = await newProduct(stack.merchant, custom)
  const { body: group } = await stack.merchant.call('POST', '/v1/product-groups', {
    name: 'Any',
    products: [product_id],
  })
  const session = await stack.merchant.createCheckout({
    product_group_id: group['product_group_id'],
    success_url: sale.success_url,
  })
  const shown = await choose(session, { ...byCard(), products: [{ product_id, amount: '10.00' }] })
  assert.deepEqual([shown.amount, shown.fee, shown.total], ['10.00', '0.59', '10.59'])
  deployOtherFees()
  await stack.merchant.confirm(session)
  assert.deepEqual(await charged(session), { status: 'succeeded', amount: '10.59', settles: '10', fee: '0.59' })
})

test('the amount that a buyer entered for a payment link is charged as it was shown', async () => {
  await customerPays()
  const session = await opened(stack.merchant, await createLink(stack.merchant, { price: openPrice }), {
    amount: '20.00',
  })
  const shown = await choose(session, byCard())
  assert.deepEqual([shown.amount, shown.fee, shown.total], ['20.00', '0.88', '20.88'])
  deployOtherFees()
  await stack.merchant.confirm(session)
  assert.deepEqual(await charged(session), { status: 'succeeded', amount: '20.88', settles: '20', fee: '0.88' })
})

test('saving a card costs nothing, before and after the deploy', async () => {
  await customerPays()
  const session = (await stack.merchant.createCheckout(setup)) as Session
  const shown = priceIn(await choose(session, byCard()))
  assert.deepEqual([shown.amount, shown.fee, shown.total], ['0.00', '0.00', '0.00'])
  deployOtherFees()
  assert.equal((await stack.merchant.confirm(session)).body['payment_status'], 'succeeded')
  assert.deepEqual(priceIn(await seen(session)), shown)
  assert.deepEqual(await stack.sql('select id from payments where checkout_id = ?', [session.checkout_id]), [])
})

test('the test helper that pays a session by mobile money uses the price of its choice too', async () => {
  await customerPays()
  const session = await stack.merchant.createCheckout({ ...sale, currency: 'KES' })
  const path = `/v1/test-helpers/checkout-sessions/${session.checkout_id}/pay`
  const { status, text } = await stack.merchant.call('POST', path, { payment_method: 'MOMO_KES' })
  assert.equal(status, 200, text)
  const shown = await seen(session)
  assert.deepEqual([shown.fee, shown.total], ['0.38', '25.38'])
  deployOtherFees()
  assert.deepEqual(priceIn(await seen(session)), priceIn(shown))
  assert.deepEqual(await charged(session), { status: 'succeeded', amount: '25.38', settles: '25', fee: '0.38' })
})

test('an order that is sent again is the same in every field', async () => {
  await customerPays()
  const session = await stack.merchant.createCheckout()
  const rails = stack.deps.rails.in('sandbox')
  const { of } = rails
  const orders: ChargeOrder[] = []
  rails.of = (...args) => {
    const rail = of(...args)
    return {
      ...rail,
      async charge(order, at) {
        orders.push(order)
        if (orders.length > 1) return rail.charge(order, at)
        deployOtherFees()
        throw new Error('the order was lost on its way')
      },
    }
  }
  await choose(session, byCard())
  await stack.merchant.confirm(session)
  const isPaid = async () => (await stack.merchant.getCheckout(session.checkout_id))['status'] === 'completed'
  await until(isPaid, 'it is paid')
  rails.of = of
  const [lost, second] = orders
  assert.deepEqual([orders.length, lost?.amount], [2, '26.03'])
  assert.deepEqual(second, lost)
})

test('a choice that an older release stored without its price is priced by the current table', async () => {
  await customerPays()
  const session = await stack.merchant.createCheckout()
  await choose(session, byCard())
  for (const [table, column] of [
    ['payment_requests', 'checkout_id'],
    ['checkouts', 'id'],
  ]) {
    const none = `update ${table} set quoted_amount = null, quoted_fee = null where ${column} = ?`
    await stack.sql(none, [session.checkout_id])
  }
  assert.equal((await seen(session)).total, '26.03')
  assert.equal((await stack.merchant.confirm(session)).body['payment_status'], 'succeeded')
  assert.deepEqual(await charged(session), { status: 'succeeded', amount: '26.03', settles: '25', fee: '1.03' })
  assert.equal((await seen(session)).total, '26.03')
})
