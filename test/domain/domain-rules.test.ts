import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  assertNotProcessing,
  assertOpen,
  checkoutStatuses,
  type CheckoutPaymentStatus,
  moveCheckoutPaymentStatus,
  checkoutPaymentStatuses,
} from '../../domain/checkout/checkout.ts'
import {
  corridorKeys,
  corridorOf,
  methods,
  offeredAssets,
  offeredCorridors,
  checkoutMethodOf,
} from '../../domain/corridor.ts'
import { currencyCodes } from '../../domain/currency.ts'
import { failureCodes, failureMessages } from '../../domain/checkout/payment.ts'
import { errorCodes, Refusal } from '../../domain/refusal.ts'
import { rateTiers, scopes } from '../../domain/access/scope.ts'
import { delayAfterAttempt } from '../../domain/webhook/delivery.ts'
import { nextConsequenceAt } from '../../domain/webhook/endpoint.ts'

/**
 * Every legal transition (docs/contract/checkout.md, "Payment status of a session"), with a second choice and a late
 * answer of the rail.
 */
const legal: Record<CheckoutPaymentStatus, CheckoutPaymentStatus[]> = {
  requires_payment_method: ['requires_confirmation', 'processing', 'succeeded', 'canceled'],
  requires_confirmation: ['requires_action', 'processing', 'canceled'],
  requires_action: ['requires_confirmation', 'processing', 'failed', 'canceled'],
  processing: ['requires_action', 'succeeded', 'failed', 'canceled'],
  failed: ['requires_payment_method', 'canceled'],
  succeeded: [],
  canceled: [],
}

for (const from of checkoutPaymentStatuses) {
  test(`from ${from} a payment may become ${legal[from].join(', ') || 'nothing else'}, and nothing more`, () => {
    for (const to of checkoutPaymentStatuses) {
      const session: Parameters<typeof moveCheckoutPaymentStatus>[0] = { status: 'open', paymentStatus: from }
      if (to === from || legal[from].includes(to)) {
        moveCheckoutPaymentStatus(session, to)
        assert.equal(session.paymentStatus, to)
        continue
      }
      assert.throws(
        () => moveCheckoutPaymentStatus(session, to),
        (error) => error instanceof Refusal && error.code === 'CONFLICT',
      )
      assert.equal(session.paymentStatus, from)
    }
  })
}

test('only an open session may be changed, and none while its payment is processed', () => {
  for (const status of checkoutStatuses) {
    const session = { status, paymentStatus: 'processing' as const }
    if (status === 'open') assertOpen(session)
    else assert.throws(() => assertOpen(session), Refusal)
    assert.throws(() => assertNotProcessing(session), Refusal)
  }
  for (const paymentStatus of checkoutPaymentStatuses.filter((each) => each !== 'processing')) {
    assertNotProcessing({ status: 'open', paymentStatus })
  }
})

test('every error code has the status of the interface', () => {
  const statuses: Record<string, number> = {
    VALIDATION_ERROR: 400,
    UNAUTHORIZED: 401,
    FORBIDDEN: 403,
    NOT_FOUND: 404,
    CONFLICT: 409,
    TOO_MANY_REQUESTS: 429,
    INTERNAL_SERVER_ERROR: 500,
    BAD_GATEWAY: 502,
    SERVICE_UNAVAILABLE: 503,
    ACCOUNT_NOT_ACTIVATED: 400,
    ACCOUNT_PAYMENT_METHODS_RESTRICTED: 400,
    CHECKOUT_HAS_NO_PAYMENT_METHOD: 400,
    CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD: 400,
    PAYMENT_METHOD_NOT_ALLOWED: 400,
    CURRENCY_NOT_SUPPORTED: 400,
    SIMULATION_NOT_ALLOWED: 400,
  }
  for (const [code, status] of Object.entries(statuses))
    assert.equal(errorCodes[code as keyof typeof errorCodes], status)
})

test('a restriction only narrows: nothing is offered that would not be offered without it', () => {
  const currencies = fc.option(fc.array(fc.constantFrom(...currencyCodes, 'usd', 'USDT_TRC20'), { maxLength: 4 }), {
    nil: undefined,
  })
  const options = fc.dictionary(fc.constantFrom(...methods), fc.record({ currencies }))
  fc.assert(
    fc.property(options, (restriction) => {
      const all = offeredCorridors(null)
      for (const key of offeredCorridors(restriction)) {
        assert.ok(all.includes(key))
        const { method, currency } = corridorOf(key)
        const named = restriction[method]?.currencies ?? []
        const mayName: string[] = method === 'crypto' ? offeredAssets(restriction) : [currency]
        assert.ok(method in restriction && (named.length === 0 || named.some((code) => mayName.includes(code))))
      }
    }),
    { numRuns: 2_000, seed: 1 },
  )
})

test('a checkout shows CARD for a card, and the corridor for any other method', () => {
  for (const key of corridorKeys) {
    assert.equal(checkoutMethodOf(key), key === 'USD_CARD' || key === 'NGN_CARD' ? 'CARD' : key)
  }
})

test('every failure code has a message for the payer', () => {
  for (const code of failureCodes) assert.match(failureMessages[code], /^The .+\.$/)
})

test('each family has the scopes read and write, except balances (no write) and two others (no read)', () => {
  const withoutWrite = ['balances']
  const withoutRead = ['customer_sessions', 'test_helpers']
  const families = new Set(scopes.map((scope) => scope.split(':')[0] ?? ''))
  const expected = [...families].flatMap((family) => [
    ...(withoutRead.includes(family) ? [] : [`${family}:read`]),
    ...(withoutWrite.includes(family) ? [] : [`${family}:write`]),
  ])
  assert.deepEqual([...scopes].toSorted(), expected.toSorted())
  assert.deepEqual(rateTiers, { standard: 100, elevated: 500, platform: 1000, unlimited: null })
})

test('a webhook is tried again after 1, 5, 15 and 60 minutes, and not a sixth time', () => {
  const delays = (chance: number) => [1, 2, 3, 4, 5].map((attempt) => delayAfterAttempt(attempt, chance))
  assert.deepEqual(delays(0), [60_000, 300_000, 900_000, 3_600_000, null])
  assert.deepEqual(delays(1), [66_000, 330_000, 990_000, 3_960_000, null])
})

test('a failing endpoint gets a mail after 24 hours, and is off after 72, at least 48 after the mail', () => {
  const hour = 3_600_000
  assert.equal(nextConsequenceAt({ failingSince: 0, warnedAt: null }), 24 * hour)
  assert.equal(nextConsequenceAt({ failingSince: 0, warnedAt: 24 * hour }), 72 * hour)
  assert.equal(nextConsequenceAt({ failingSince: 0, warnedAt: 60 * hour }), 108 * hour)
})
