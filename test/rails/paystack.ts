import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { createEncrypter } from '../../db/core/encryption.ts'
import { newId } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import { createPaystack, type PaystackRail } from '../../rails/paystack/paystack.ts'
import type { PayoutTarget } from '../../rails/payout-rail.ts'
import type { ChargeOrder } from '../../rails/rail.ts'
import { RailRefusal } from '../../rails/rail-refusal.ts'
import { startPaystack } from '../doubles/paystack/paystack.ts'
import { tenAtATime } from '../support/ten-at-a-time.ts'
import { useDatabase } from '../support/use-database.ts'
import { use } from '../support/use.ts'

/** A marker in every secret of these tests, by which a leak is found. */
export const marker = 'leakmarker'
export const secretKey = `sk_live_${marker}0123456789`
export const email = `buyer.${marker}@example.com`

/** Numbers of people in these tests: phones and accounts. */
export const phone = { ghana: '+233551234900', kenya: '+254722000900', ivory: '+2250700000900' }

/** An account at a bank. */
export const account = '0123459876'

/** Where payouts of these tests go. */
export const bank: PayoutTarget = {
  type: 'bank_account',
  scheme: null,
  accountNumber: account,
  accountName: 'Ada Obi',
  bankCode: '058',
  phoneNumber: null,
  mobileProvider: null,
  walletAddress: null,
  network: null,
}

const secretWords = [marker, '551234900', '722000900', '0700000900', '123456', account, 'ADA OBI']

const encrypter = createEncrypter(`test:${randomBytes(32).toString('base64')}`)

/** The rails as the tests name them. */
function partsOf(rails: PaystackRail) {
  const { rail, cardSetups, payouts, vault, holders, close } = rails
  const charges = { ...rail, chargeSaved: cardSetups.chargeSaved }
  return { rails, charges, refunds: rail, disputes: rail, payouts, vault, holders, close }
}

/** Paystack's double, a database and the rail between them. `fast` waits for nothing. */
export async function usePaystack({ timeoutMs = 2_000 }: { timeoutMs?: number } = {}) {
  const double = await use(
    () => startPaystack(secretKey),
    (server) => server.close(),
  )
  const database = await useDatabase({ connections: 12 })
  const open = (options: object = {}) =>
    use(
      async () =>
        partsOf(
          createPaystack({
            database,
            encrypter,
            secretKey,
            url: double.url,
            timeoutMs,
            pace: { checkAfterMs: 0, lostAfterMs: 0, refundAgainAfterMs: 0 },
            uploadHosts: ['127.0.0.1'],
            line: { failuresMax: Infinity },
            ...options,
          }),
        ),
      (rail) => rail.close(),
    )
  const paystack = await open()
  const sql = <T extends object>(text: string, params: unknown[] = []) =>
    database.orm.em.fork().execute<T[]>(text, params)
  return { double, database, paystack, open, sql }
}

export const now = Date.now()
export const minute = 60_000

/** An order for a charge by bank transfer; `rest` changes it. */
export const transferOrder = (rest: Partial<ChargeOrder<'live'>> = {}): ChargeOrder<'live'> => ({
  environment: 'live',
  paymentId: newId('pay', now),
  corridor: 'NGN_BANK_TRANSFER',
  amount: '2500.50',
  currency: 'NGN',
  email,
  returnUrl: null,
  token: null,
  securityCode: null,
  statementText: null,
  savesCard: false,
  provider: null,
  asset: null,
  expiresAt: now + 60 * minute,
  listensUntil: now + 3 * 24 * 60 * minute,
  ...rest,
})

export const referenceOf = (paymentId: string) => paymentId.replace('_', '-')

/** The error of a call that fails; it fails the test where it repeats a secret or says more than a person may read. */
export async function errorOf(call: () => Promise<unknown>): Promise<Error> {
  const error = await call().then(
    (answer) => assert.fail(`it has answered ${inspect(answer)}`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Error)
  assert.doesNotMatch(inspect(error, { depth: 10, showHidden: true }), new RegExp(secretWords.join('|'), 'i'))
  return error
}

/** The error of a call whose outcome is unknown: the order is sent again. */
export async function unknownOf(call: () => Promise<unknown>): Promise<Error> {
  const error = await errorOf(call)
  assert.ok(!(error instanceof RailRefusal), String(error))
  return error
}

/** The error of a call that Paystack refuses for good. */
export async function refusalOf(call: () => Promise<unknown>): Promise<void> {
  const error = await errorOf(call)
  assert.ok(error instanceof RailRefusal, String(error))
}

/** Does something many times, ten at a time. */
export const manyTimes = (count: number, act: (n: number) => Promise<unknown>): Promise<unknown> =>
  tenAtATime(
    Array.from({ length: count }, (_, n) => n),
    act,
  )

/** A call that would give a card to the vault is refused, and the refusal repeats nothing of it. */
export async function isLiveCardRefused(call: () => Promise<unknown>): Promise<void> {
  const error = await errorOf(call)
  assert.ok(error instanceof Refusal && error.code === 'VALIDATION_ERROR', String(error))
  assert.doesNotMatch(inspect(error), /408/)
}
