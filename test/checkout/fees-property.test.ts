import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import * as fc from 'fast-check'
import { sandboxExchangeRates } from '../../rails/exchange-rates.ts'
import { type Corridor, corridorKeys, corridorOf } from '../../domain/corridor.ts'
import { type Currency, currencyCodes, digitsOf } from '../../domain/currency.ts'
import type { Rate } from '../../domain/balance/exchange.ts'
import { type LineItem, lineItemOf, totalOf } from '../../domain/checkout/line-item.ts'
import { isZero } from '../../domain/money.ts'
import { canBePaid, quoteOf, type Quote, type PricedSale } from '../../domain/balance/quote.ts'
import { withApi } from '../support/api.ts'
import { newProduct } from '../support/cart.ts'
import { buyer, sale } from '../support/merchant.ts'
import { changeAccount } from '../support/rows.ts'
import { startStack } from '../support/stack.ts'

// For every sale, currency and corridor: the buyer pays the settled amount plus the fee.
const seed = 20_261_201
const preference = fc.constantFrom('customer_pays' as const, 'org_pays' as const)
const currency = fc.constantFrom(...currencyCodes)
const corridor = fc.constantFrom(...corridorKeys)
/** Whole minor units, small ones as often as large ones. */
const units = fc.oneof(fc.bigInt(0n, 200n), fc.bigInt(0n, 10n ** 8n), fc.bigInt(0n, 10n ** 12n))
const written = (minor: bigint, of: Currency) => new Big(minor.toString()).div(10 ** digitsOf(of)).toFixed(digitsOf(of))

const plainSale = fc
  .tuple(currency, units)
  .map(([of, minor]) => ({ currency: of, amount: written(minor, of), lineItems: null as LineItem[] | null }))
const line = fc.record({ minor: units, quantity: fc.integer({ min: 1, max: 999 }), isCustom: fc.boolean() })
const cart = fc.tuple(currency, fc.array(line, { minLength: 1, maxLength: 8 })).map(([of, lines]) => {
  const lineItems = lines.map(({ minor, quantity, isCustom }, index) => {
    const price = written(minor, of)
    const shared = { product_id: `prod_${index}`, product_name: 'A', currency: of, suggested_amount: null }
    const bounds = { minimum_amount: null, maximum_amount: null }
    return isCustom
      ? lineItemOf(
          { ...shared, ...bounds, price_type: 'custom', unit_amount: null },
          { product_id: '', quantity, amount: price },
        )
      : lineItemOf({ ...shared, ...bounds, price_type: 'fixed', unit_amount: price }, { product_id: '', quantity })
  })
  return { currency: of, amount: totalOf(lineItems), lineItems: lineItems as LineItem[] | null }
})
/** The sandbox's rate, or a factor for another rate, with fourteen significant digits. */
const movement = fc.oneof(fc.constant(null), fc.bigInt(10n ** 13n, 10n ** 14n - 1n))

const unitOf = (of: Currency) => new Big(10).pow(-digitsOf(of))

async function rateOf(from: Currency, to: Currency, moved: bigint | null): Promise<Rate | null> {
  if (from === to) return null
  const usual = await sandboxExchangeRates.rate(from, to)
  if (moved === null) return usual
  const factor = new Big(moved.toString()).div(new Big(10).pow(13)) // from 1 to 10
  return new Big(new Big(usual).times(factor).toPrecision(14)).toFixed()
}

/** The fee before anything is rounded. */
function exactFee(amount: string, key: Corridor, { feePreference }: PricedSale): Big {
  const { fee: rule } = corridorOf(key)
  let fee = new Big(amount).times(rule.percent).div(100).plus(rule.fixed)
  if (rule.cap && fee.gt(rule.cap)) fee = new Big(rule.cap)
  return feePreference === 'org_pays' && fee.gt(amount) ? new Big(amount) : fee
}

function assertPrice(sold: PricedSale, quote: Quote): void {
  const { amount, customerPays, settles, fee, currency: of, corridor: key } = quote
  for (const each of [amount, customerPays, settles, fee]) {
    assert.equal(each, new Big(each).toFixed(digitsOf(of)), 'at the exponent of its currency')
    assert.ok(new Big(each).gte(0), 'nothing is negative')
  }
  assert.ok(new Big(customerPays).eq(new Big(settles).plus(fee)), 'the buyer pays the settled amount plus the fee')
  // The amount itself is not changed by rounding, for the buyer or the seller: rounding only changes our fee.
  const kept = sold.feePreference === 'customer_pays' ? settles : customerPays
  assert.equal(kept, amount)
  if (isZero(amount)) return assert.ok(isZero(fee))
  if (sold.feePreference === 'org_pays') assert.ok(new Big(fee).lte(amount), 'the merchant’s fee is at most the amount')
  const leftover = new Big(fee).minus(exactFee(amount, key, sold))
  assert.ok(leftover.abs().lte(unitOf(of).div(2)), 'the fee is the exact one, rounded half up')
}

test('for every sale the buyer pays the settled amount plus the fee, rounded, never negative', async () => {
  const property = fc.asyncProperty(
    fc.oneof(plainSale, cart),
    corridor,
    preference,
    movement,
    async ({ currency: from, amount: base }, key, feePreference, moved) => {
      const sold = { amount: base, currency: from, feePreference }
      const rate = await rateOf(from, corridorOf(key).currency, moved)
      const quote = quoteOf(sold, key, rate)
      assertPrice(sold, quote)
      assert.equal(quote.rate, rate)
      const { amount, currency: to } = quote
      const off = new Big(amount).minus(new Big(base).times(rate ?? '1'))
      assert.ok(off.lte(unitOf(to).div(2)) && off.gt(unitOf(to).div(-2)), 'converted once, half up')
      if (rate === null) assert.ok(new Big(amount).eq(base))
      if (canBePaid(quote)) assert.ok(new Big(quote.customerPays).gt(0))
    },
  )
  await fc.assert(property, { numRuns: 5_000, seed })
})

test('before conversion a cart costs the sum of its lines, each its price times its quantity', () => {
  const property = fc.property(cart, ({ lineItems, amount, currency: of }) => {
    const sum = (lineItems ?? []).reduce((total, { line_total, unit_amount, quantity }) => {
      assert.equal(line_total, new Big(unit_amount).times(quantity).toFixed(digitsOf(of)))
      return total.plus(line_total)
    }, new Big(0))
    assert.ok(sum.eq(amount))
  })
  fc.assert(property, { numRuns: 1_000, seed })
})

test('generated sales through the API settle in the ledger to the last unit', async () => {
  const stack = await startStack()
  const api = withApi(stack)
  await api.lift()
  const wanted = fc.record({
    key: corridor,
    feePreference: preference,
    base: fc.constantFrom<Currency>('USD', 'NGN', 'KES', 'UGX', 'EUR'),
    // Large enough that something is left after the fees in any currency.
    lines: fc.array(fc.record({ minor: fc.bigInt(40_000n, 5_000_000n), quantity: fc.integer({ min: 1, max: 9 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
    isCart: fc.boolean(),
  })
  try {
    for (const { key, feePreference, base, lines, isCart } of fc.sample(wanted, { numRuns: 14, seed })) {
      await changeAccount(stack, stack.organizationId, { feePreference })
      const priced = lines.map(({ minor, quantity }) => ({ amount: written(minor, base), quantity }))
      const plain = { amount: priced[0]?.amount ?? '', currency: base, description: 'A sum' }
      const { success_url } = sale
      const sold = isCart ? { product_cart: await cartOf(stack.merchant, base, priced) } : plain
      const session = await stack.merchant.createCheckout({ success_url, customer: buyer, ...sold })
      const path = `/v1/test-helpers/checkout-sessions/${session.checkout_id}/pay`
      const { body, text } = await stack.merchant.call('POST', path, { payment_method: key })
      assert.equal(body['status'], 'completed', text)
      const payment = await stack.merchant.getPayment((body['charge'] as unknown as { payment_id: string }).payment_id)
      const { amount } = body as unknown as { amount: string }
      const rate = await rateOf(base, corridorOf(key).currency, null)
      const quote = quoteOf({ amount, currency: base, feePreference }, key, rate)
      assert.deepEqual([payment['amount'], payment['rate']], [quote.customerPays, rate])
      const posted = await stack.sql<{ book: string; amount: string }>(
        `select book, amount from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
         where t.kind = 'settlement' and t.source_id = ?`,
        [payment['payment_id']],
      )
      const of = (book: string) => posted.find((entry) => entry.book === book)?.amount ?? '0'
      assert.ok(new Big(of('merchant')).eq(quote.settles) && new Big(of('fees')).eq(quote.fee), `${key} ${text}`)
    }
    await stack.dispatched()
    assert.deepEqual(await stack.check(), [])
  } finally {
    api.close()
    await stack.stop()
  }
})

/** A cart of products of these prices, every second one with a price that the buyer decides. */
async function cartOf(
  merchant: Awaited<ReturnType<typeof startStack>>['merchant'],
  of: Currency,
  priced: { amount: string; quantity: number }[],
) {
  const wanted: Record<string, unknown>[] = []
  for (const [index, { amount, quantity }] of priced.entries()) {
    const isCustom = index % 2 === 1
    const price = isCustom ? { price_type: 'custom', amount: null } : { amount }
    const product_id = await newProduct(merchant, { currency: of, ...price })
    wanted.push({ product_id, quantity, ...(isCustom && { amount }) })
  }
  return wanted
}
