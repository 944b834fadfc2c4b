import assert from 'node:assert/strict'
import { test } from 'node:test'
import { receiptPaper } from '../../api/checkout/receipt-paper.ts'
import { paperLanguageOf } from '../../api/pdf/language.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { transferSale } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Payments whose fee is not the one that their buyer was shown: a part that was accepted, and a duplicate.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
/** 5,000 naira and a fee of 50 naira on top, as a transfer. */
const naira = { ...transferSale, payment_method_options: { bank_transfer: {} } }
/** 10 dollars: 16,000 naira, and a fee of 160 naira on top. */
const dollars = { ...naira, amount: '10.00', currency: 'USD' }

async function addMerchant(fee_preference = 'customer_pays') {
  const { merchant } = await api.addMerchant()
  await merchant.call('PUT', '/v1/accounts/checkout/settings', { fee_preference })
  return merchant
}
type Merchant = Awaited<ReturnType<typeof addMerchant>>

/** A short payment whose session is cancelled and whose part is accepted. Returns the payment's id. */
async function acceptPart(merchant: Merchant, body: object, amount: string): Promise<string> {
  const session = await merchant.createCheckout({ ...body })
  const { payment_id } = await merchant.payByTransfer(session)
  await merchant.cancel(session.checkout_id)
  await merchant.deposit(payment_id, { amount })
  const accepted = await merchant.call('POST', `/v1/payments/${payment_id}/accept`, {})
  assert.equal(accepted.status, 200, accepted.text)
  return payment_id
}

/** A second payment of one session, after the first one has completed it. Returns its id. */
async function payTwice(merchant: Merchant, body: object): Promise<string> {
  const session = await merchant.createCheckout({ ...body })
  const [{ payment_id: first }, { payment_id: second }] = [
    await merchant.payByTransfer(session),
    await merchant.payByTransfer(session),
  ]
  for (const id of [second, first]) assert.equal((await merchant.deposit(id)).status, 200)
  return first
}

const baseOf = async (merchant: Merchant, id: string) => {
  const { amount, base_amount, base_currency } = await merchant.getPayment(id)
  return [amount, base_amount, base_currency]
}

async function sumsOf(id: string): Promise<string[]> {
  const row = await stack.database.orm.em.fork().findOneOrFail(Payment, { id })
  const letterhead = { name: 'A', supportEmail: null, logo: null }
  return receiptPaper(row, { description: null, refunded: '0' }, letterhead, paperLanguageOf('en')).sums.map(
    ({ value }) => value,
  )
}

test('the price of a payment that was accepted in part is what was asked for, without the fee', async () => {
  const merchant = await addMerchant()
  const own = await acceptPart(merchant, naira, '1000.00')
  assert.deepEqual(await baseOf(merchant, own), ['5050.00', '5000.00', 'NGN'])
  assert.deepEqual(await sumsOf(own), ['₦5,000.00', '₦50.00', '₦5,050.00', '₦1,000.00'])
  const converted = await acceptPart(merchant, dollars, '1000.00')
  assert.deepEqual(await baseOf(merchant, converted), ['16160.00', '10.00', 'USD'])
  assert.deepEqual(await sumsOf(converted), ['$10.00', '₦16,000.00', '₦160.00', '₦16,160.00', '₦1,000.00'])
})

test('the price of a duplicate is what was asked for, without the fee', async () => {
  const merchant = await addMerchant()
  const own = await payTwice(merchant, naira)
  assert.deepEqual(await baseOf(merchant, own), ['5050.00', '5000.00', 'NGN'])
  assert.deepEqual((await sumsOf(own)).slice(0, 4), ['₦5,000.00', '₦50.00', '₦5,050.00', '₦5,050.00'])
})

test('where the merchant bears the fee, the price of both is the amount', async () => {
  const merchant = await addMerchant('org_pays')
  for (const id of [await acceptPart(merchant, naira, '1000.00'), await payTwice(merchant, naira)]) {
    assert.deepEqual(await baseOf(merchant, id), ['5000.00', '5000.00', 'NGN'])
    assert.deepEqual((await sumsOf(id)).slice(0, 2), ['₦5,000.00', '₦5,000.00'])
  }
})
