import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depositInSandbox } from '../../api/sandbox/test-deposit.ts'
import { noChoice } from '../../api/checkout/payment-choice.ts'
import { storeRequest, updateProcess } from '../../api/checkout/pay.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { corridorKeys, corridorOf, type Method, methods } from '../../domain/corridor.ts'
import { refusalIn } from '../../engine/refusals.ts'
import { newId } from '../../domain/id.ts'
import { capabilities, type Capability } from '../../domain/platform/capability.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { actingFor } from '../support/endpoints.ts'
import { addLiveMerchant, connectLiveRails, decideCapabilities, goLive } from '../support/live.ts'
import { buyer, card, cards, mobileSale, sale, setup, transferSale } from '../support/merchant.ts'
import { countRows } from '../support/rows.ts'
import { openPages } from '../support/pages.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The simulators take live orders here, as no live provider is connected yet.
const stack = await useStack({ invariants: 'at the end', skipping: true })
const api = await useApi(stack)
connectLiveRails(stack)
const pages = await use(
  () => openPages(stack),
  ({ stop }) => stop(),
)

type Live = Awaited<ReturnType<typeof addLiveMerchant>>
type Session = Awaited<ReturnType<Live['merchant']['createCheckout']>>
const live = (granted?: readonly Capability[]) => addLiveMerchant(stack, api, granted)
const capabilityOf = (method: Method): Capability => `${method}_payments`
const byCard = { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer }
const lose = ({ tenant }: Pick<Live, 'tenant'>, ...lost: Capability[]) =>
  decideCapabilities(stack, tenant, Object.fromEntries(lost.map((capability) => [capability, 'restricted'])))
const regain = ({ tenant }: Pick<Live, 'tenant'>, ...found: Capability[]) =>
  decideCapabilities(stack, tenant, Object.fromEntries(found.map((capability) => [capability, 'active'])))
const payments = capabilities.filter((each) => each.endsWith('_payments'))

/** The corridors that the buyer of a session is offered. */
async function offerOf({ checkout_id, client_secret }: Session): Promise<string[]> {
  const headers = { ...bearer(client_secret), ...fromAnywhere() }
  const path = `/v1/checkout-sessions/${checkout_id}/public`
  const { body } = await stack.merchant.call('GET', path, undefined, headers)
  return (body['payment_methods'] as unknown as { payment_method: string }[]).map((each) => each.payment_method)
}

for (const method of methods) {
  test(`a live account with ${method}_payments alone offers exactly the corridors of ${method}`, async () => {
    const { merchant } = await live([capabilityOf(method)])
    const enabled_payment_methods = { CRYPTO: { enabled: true } }
    await merchant.call('PUT', '/v1/accounts/checkout/settings', { enabled_payment_methods })
    const offered = await offerOf(await merchant.createCheckout({ ...sale, amount: '2000.00' }))
    const own = corridorKeys.filter((key) => corridorOf(key).method === method)
    assert.deepEqual(offered.toSorted(), own.toSorted())
  })
}

test('a live account that was activated is paid, and its money settles', async () => {
  const { merchant } = await live()
  const session = await merchant.createCheckout()
  assert.equal((await merchant.payByCard(session))['payment_status'], 'succeeded')
  const { body } = await merchant.call('GET', '/v1/balances')
  assert.partialDeepStrictEqual(body['items'], [{ currency: 'USD', pending: '23.97' }])
})

test('PAYMENT_METHOD_NOT_ALLOWED: cards were restricted after the session was made, others were not', async () => {
  const account = await live()
  const session = await account.merchant.createCheckout()
  await lose(account, 'card_payments')
  assert.ok((await offerOf(session)).every((key) => key.startsWith('MOMO_') || key === 'NGN_BANK_TRANSFER'))
  const kept = await countRows(stack, 'simulated_cards')
  assertError(await account.merchant.pay(session, byCard), 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  assert.equal(await countRows(stack, 'simulated_cards'), kept, 'no card was kept')
  const wallet = { payment_method: 'MOMO_KES', phone_number: '+254700000001', provider: 'mpesa' }
  assert.equal((await account.merchant.pay(session, wallet)).status, 200)
})

test('ACCOUNT_PAYMENT_METHODS_RESTRICTED: every method was restricted after the session was made', async () => {
  const account = await live()
  const session = await account.merchant.createCheckout()
  await lose(account, ...payments)
  assert.deepEqual(await offerOf(session), [])
  for (let time = 0; time < 2; time++) {
    assertError(await account.merchant.pay(session, byCard), 400, 'ACCOUNT_PAYMENT_METHODS_RESTRICTED')
  }
  assertError(
    await account.merchant.call('POST', '/v1/checkout-sessions', sale),
    400,
    'ACCOUNT_PAYMENT_METHODS_RESTRICTED',
  )
  const page = await (await fetch(pages.addressOf(session.checkout_url))).text()
  assert.match(page, /can’t take payments at the moment/)
  assert.doesNotMatch(page, /value="pay"/)
  await regain(account, 'card_payments')
  assert.equal((await account.merchant.payByCard(session))['payment_status'], 'succeeded')
})

test('ACCOUNT_NOT_ACTIVATED: no method is active any more, and none is restricted', async () => {
  const account = await live()
  const session = await account.merchant.createCheckout()
  await decideCapabilities(stack, account.tenant, Object.fromEntries(payments.map((each) => [each, 'pending'])))
  assertError(await account.merchant.pay(session, byCard), 400, 'ACCOUNT_NOT_ACTIVATED')
})

test('a method that is lost between the choice and its confirmation is not charged; found again, it is', async () => {
  const account = await live()
  const session = await account.merchant.createCheckout()
  await account.merchant.pay(session, byCard)
  await lose(account, ...payments)
  for (let time = 0; time < 2; time++) {
    assertError(await account.merchant.confirm(session), 400, 'ACCOUNT_PAYMENT_METHODS_RESTRICTED')
  }
  const { status, payment_status, charge } = await account.merchant.getCheckout(session.checkout_id)
  assert.deepEqual([status, payment_status, charge], ['open', 'requires_confirmation', null])
  await regain(account, 'card_payments')
  assert.equal((await account.merchant.confirm(session)).body['payment_status'], 'succeeded')
})

test('the process refuses what was lost after the API had looked, in the choice and in the attempt', async () => {
  const account = await live()
  const em = () => stack.database.orm.em.fork()
  for (const atOnce of [false, true]) {
    const { checkout_id } = await account.merchant.createCheckout()
    const row = await em().findOneOrFail(Checkout, { id: checkout_id })
    const id = newId('pay', Date.now())
    const details = { customerDetails: { email: buyer.email, name: null, phone_number: null } }
    const choice = { ...noChoice, ...details, corridor: 'USD_CARD' as const, encryptedReturnUrl: null }
    await storeRequest(stack.services, row, { id, ...choice })
    await lose(account, 'card_payments')
    const late = updateProcess(stack.services, row, 'pay', [id, atOnce], id)
    await assert.rejects(late, (error) => refusalIn(error)?.code === 'PAYMENT_METHOD_NOT_ALLOWED')
    assert.equal(await countRows(stack, 'payments where id = ?', [id]), 0)
    await regain(account, 'card_payments')
  }
})

test('what is with the rail already ends as the rail says, whatever is taken from the account', async () => {
  const account = await live()
  const { merchant } = account
  const [secured, transfer] = [await merchant.createCheckout(), await merchant.createCheckout(transferSale)]
  const attempt = await merchant.payByCard(secured, cards.threeDs)
  assert.equal(attempt['payment_status'], 'requires_action')
  const { payment_id } = await merchant.payByTransfer(transfer)
  await lose(account, ...capabilities)
  assert.equal((await merchant.confirm(secured, { code: '123456' })).body['payment_status'], 'succeeded')
  await depositInSandbox(stack.services, payment_id, { callId: payment_id }, await stack.clock.now())
  assert.equal(await stack.finished('checkout', transfer.checkout_id), 'completed')
  const { body } = await merchant.call('GET', '/v1/balances')
  assert.partialDeepStrictEqual(body['items'], [{ currency: 'NGN', available: '4950.00' }, { currency: 'USD' }])
})

test('an order that the rail did not take at first is sent again, although the method was lost meanwhile', async () => {
  const account = await live()
  const session = await account.merchant.createCheckout()
  const rails = stack.deps.rails.in('live')
  const { of } = rails
  let isDown = true
  rails.of = (corridor) => {
    const rail = of(corridor)
    return { ...rail, charge: (...order) => (isDown ? Promise.reject(new Error('down')) : rail.charge(...order)) }
  }
  const paying = account.merchant.payByCard(session)
  const isOrdered = async () => (await countRows(stack, 'payments where checkout_id = ?', [session.checkout_id])) === 1
  await until(isOrdered, 'the payment is stored')
  await lose(account, ...payments)
  isDown = false
  await paying
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  rails.of = of
})

test('money that arrives after the session has expired is posted, although nothing new may be paid', async () => {
  const account = await live()
  const session = await account.merchant.createCheckout({ ...transferSale, expires_in_minutes: 5 })
  const { payment_id } = await account.merchant.payByTransfer(session)
  await lose(account, ...capabilities)
  await stack.skip(6 * 60_000)
  assert.equal((await account.merchant.getCheckout(session.checkout_id))['status'], 'expired')
  // After the end the session's own state is the reason, not the account's.
  assertError(await account.merchant.pay(session, { payment_method: 'NGN_BANK_TRANSFER' }), 409, 'CONFLICT')
  await depositInSandbox(stack.services, payment_id, { callId: payment_id }, await stack.clock.now())
  assert.equal((await account.merchant.getPayment(payment_id))['status'], 'succeeded')
})

test('saving a card needs card_payments, and a free sale needs nothing', async () => {
  const account = await live(['mobile_money_payments'])
  assertError(await account.merchant.call('POST', '/v1/checkout-sessions', setup), 400, 'ACCOUNT_NOT_ACTIVATED')
  await regain(account, 'card_payments')
  const session = await account.merchant.createCheckout({ ...setup, customer: buyer })
  await lose(account, 'card_payments')
  const refused = await account.merchant.pay(session, { ...byCard, confirm: true })
  assertError(refused, 400, 'ACCOUNT_PAYMENT_METHODS_RESTRICTED')
  const free = await account.merchant.createCheckout({ ...sale, amount: '0' })
  assert.equal((await account.merchant.pay(free, {})).body['payment_status'], 'succeeded')
})

test('the capabilities of the account that is paid count, not those of the platform that acts for it', async () => {
  const platform = await live(['card_payments'])
  const connected = await api.addConnected(platform.accountId)
  const acting = actingFor(platform.merchant, connected)
  assertError(await acting.call('POST', '/v1/checkout-sessions', mobileSale), 400, 'ACCOUNT_NOT_ACTIVATED')
  await goLive(stack, connected, ['mobile_money_payments'])
  await lose(platform, 'card_payments')
  const made = await acting.call('POST', '/v1/checkout-sessions', mobileSale)
  assert.equal(made.status, 201, made.text)
  assert.ok((await offerOf(made.body as unknown as Session)).every((key) => key.startsWith('MOMO_')))
})

test('in the sandbox every method is available, whatever was decided there', async () => {
  const { accountId, merchant } = await api.addMerchant()
  const session = await merchant.createCheckout()
  const tenant = { accountId, environment: 'sandbox' as const }
  await decideCapabilities(stack, tenant, { card_payments: 'restricted', mobile_money_payments: 'inactive' })
  assert.ok((await offerOf(session)).includes('USD_CARD'))
  assert.equal((await merchant.payByCard(session))['payment_status'], 'succeeded')
  assert.equal((await merchant.call('POST', '/v1/checkout-sessions', sale)).status, 201)
})
