import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertFieldErrors, bearer, fromAnywhere } from '../support/api.ts'
import { addLiveMerchant } from '../support/live.ts'
import { useLiveStack } from '../support/live-providers.ts'
import { buyer, type Merchant, mobileSale, sale } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { use } from '../support/use.ts'

// In live a session takes the wallets that its rail charges. Paystack, which is a double here, charges fewer than hold
// the currency.
const { stack, api, paystack } = await useLiveStack({ invariants: 'at the end', skipping: true })
const { merchant } = await addLiveMerchant(stack, api)
const pages = await use(
  () => openPages(stack),
  ({ stop }) => stop(),
)
const xof = { ...sale, amount: '1500', currency: 'XOF' }

type Session = Awaited<ReturnType<Merchant['createCheckout']>>
type Offer = { payment_method: string; providers: string[]; calling_codes: string[] }

async function walletsOf(by: Merchant, { checkout_id, client_secret }: Session) {
  const headers = { ...bearer(client_secret), ...fromAnywhere() }
  const { body } = await by.call('GET', `/v1/checkout-sessions/${checkout_id}/public`, undefined, headers)
  const offers = body['payment_methods'] as unknown as Offer[]
  return Object.fromEntries(offers.map((offer) => [offer.payment_method, [offer.providers, offer.calling_codes]]))
}

test('a session offers the wallets that its rail charges, and in the sandbox those of every country', async () => {
  const live = await walletsOf(merchant, await merchant.createCheckout(xof))
  assert.deepEqual(live['MOMO_XOF'], [['mtn', 'orange', 'wave'], ['+225']])
  assert.deepEqual(live['NGN_CARD'], [[], []])
  const ghana = await walletsOf(merchant, await merchant.createCheckout({ ...sale, currency: 'GHS' }))
  assert.deepEqual(ghana['MOMO_GHS'], [['mtn', 'vodafone', 'airteltigo'], ['+233']])
  const kenya = await walletsOf(merchant, await merchant.createCheckout(mobileSale))
  assert.deepEqual(kenya['MOMO_KES'], [['mpesa', 'airtel'], ['+254']])
  const sandbox = await walletsOf(stack.merchant, await stack.merchant.createCheckout(xof))
  const codes = ['+221', '+223', '+225', '+226', '+227', '+228', '+229', '+245']
  assert.deepEqual(sandbox['MOMO_XOF'], [['orange', 'mtn', 'moov', 'wave', 'free'], codes])
})

test('a wallet that the rail does not charge is refused, and nothing is kept or sent', async () => {
  const session = await merchant.createCheckout(xof)
  const before = paystack.calls.length
  const wallet = { payment_method: 'MOMO_XOF', customer_details: buyer, confirm: true }
  const abroad = await merchant.pay(session, { ...wallet, phone_number: '+221700000900', provider: 'orange' })
  assertFieldErrors(abroad, { phone_number: 'value_error.format' })
  assert.match(JSON.stringify(abroad.body), /\(\+225\)/)
  const other = await merchant.pay(session, { ...wallet, phone_number: '+2250700000900', provider: 'moov' })
  assertFieldErrors(other, { provider: 'value_error.enum' })
  assert.match(JSON.stringify(other.body), /must be one of mtn, orange, wave"/)
  assert.equal(paystack.calls.length, before)
  const { status, body } = await merchant.pay(session, {
    ...wallet,
    phone_number: '+2250700000900',
    provider: 'orange',
  })
  assert.equal(status, 200)
  assert.notEqual(body['payment_status'], 'failed')
})

test('a buyer whose wallet asks on a page of its own is sent there, and reads nothing of a bank', async () => {
  const session = await merchant.createCheckout({ ...xof, locale: 'en' })
  const { body } = await merchant.pay(session, {
    payment_method: 'MOMO_XOF',
    customer_details: buyer,
    phone_number: '+2250700000955',
    provider: 'orange',
  })
  assert.deepEqual(body['next_action'], { type: 'redirect', url: 'https://wallet.example.com/approve' })
  const page = await (await fetch(pages.addressOf(session.checkout_url))).text()
  assert.match(page, /<h1>Continue to your mobile money provider<\/h1>/)
  assert.match(page, /Then come back here\./)
  assert.match(page, /<a class="button" href="https:\/\/wallet\.example\.com\/approve"/)
  assert.doesNotMatch(page, /your bank/i)
})

test('who pays by a wallet with a page of its own reads that they have to come back before they leave', async () => {
  const session = await merchant.createCheckout({ ...xof, locale: 'en' })
  const form = { step: 'pay', form_key: randomUUID(), ...buyer, method: 'mobile_money:MOMO_XOF' }
  const wallet = { phone: '+2250700000955', provider: 'orange' }
  const page = pages.addressOf(session.checkout_url)
  const answer = await fetch(page, { method: 'POST', body: new URLSearchParams({ ...form, ...wallet }) })
  assert.equal(new URL(answer.url).search, '?go=1')
  const text = await answer.text()
  assert.match(text, /Then come back here\.[\s\S]*<a class="button" href="https:\/\/wallet\.example\.com\/approve"/)
  assert.doesNotMatch(text, /data-goes-to|http-equiv="refresh" content="0/)
})

test('the page asks for a number of the countries whose wallets the rail charges', async () => {
  const { checkout_url } = await merchant.createCheckout(xof)
  const page = await (await fetch(pages.addressOf(checkout_url))).text()
  assert.match(page, /name="country" value="CI"/)
  assert.match(page, /\+225 01 23 45 6789/)
  assert.doesNotMatch(page, /Benin|Senegal|Moov/)
})
