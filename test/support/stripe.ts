import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { newId } from '../../domain/id.ts'
import type { LineOptions } from '../../rails/line.ts'
import type { ChargeOrder, RefundOrder } from '../../rails/rail.ts'
import { createStripe } from '../../rails/stripe/stripe.ts'
import { startStripeDouble } from '../doubles/stripe/double.ts'
import { atEnd, use } from './use.ts'
import { useDatabase } from './use-database.ts'

/** Stands in every secret and in all data of buyers, so that a search finds each place that they have come to. */
export const marker = 'markedsecret'
const secretKey = `sk_live_${marker}1`
const at = Date.UTC(2026, 10, 20)

/** The Stripe rail on a database and a double of Stripe of its own. */
export async function useStripe() {
  const database = await useDatabase()
  const double = await use(
    () => startStripeDouble({ secretKeys: [secretKey] }),
    (started) => started.close(),
  )
  const connect = (key = secretKey, timeoutMs = 20_000, line: LineOptions = { failuresMax: Infinity }) => {
    const stripe = createStripe({
      database,
      secretKey: key,
      address: double.url,
      timeoutMs,
      line,
    })
    atEnd(stripe.close)
    return stripe
  }
  const stripe = connect()
  const sql = (text: string, values: unknown[] = []) =>
    database.orm.em.fork().execute<Record<string, unknown>[]>(text, values)

  const chargeOrder = (changes: Partial<ChargeOrder<'live'>> = {}): ChargeOrder<'live'> => ({
    environment: 'live',
    paymentId: newId('pay', at),
    corridor: 'USD_CARD',
    amount: '25.00',
    currency: 'USD',
    token: double.addCard(),
    securityCode: null,
    statementText: null,
    savesCard: false,
    provider: null,
    asset: null,
    listensUntil: at + 3_600_000,
    expiresAt: at + 3_600_000,
    email: `${marker}@example.com`,
    returnUrl: `https://pay.example.com/c/chk_1?secret=${marker}`,
    ...changes,
  })

  const passMinutes = async (minutes: number): Promise<void> => {
    double.pass(minutes * 60_000)
    await sql(`update stripe_orders set sent_at = sent_at - make_interval(mins => ?)`, [minutes])
  }

  return {
    database,
    double,
    sql,
    at,
    secretKey,
    connect,
    stripe,
    rail: stripe.rail,
    cardSetups: stripe.cardSetups,
    vault: stripe.vault,
    chargeOrder,
    /** A payment that has succeeded. */
    async paid(changes: Partial<ChargeOrder<'live'>> = {}) {
      const order = chargeOrder(changes)
      const answer = await stripe.rail.charge(order, at)
      assert.equal(answer.status, 'succeeded')
      return order
    },
    refundOrder: (
      { paymentId }: { paymentId: string },
      changes: Partial<RefundOrder<'live'>> = {},
    ): RefundOrder<'live'> => ({
      environment: 'live',
      refundId: newId('ref', at),
      paymentId,
      transferReference: null,
      corridor: 'USD_CARD',
      amount: '10.00',
      currency: 'USD',
      reference: 'R-1',
      address: null,
      simulatedOutcome: null,
      ...changes,
    }),
    /** A day passes, at Stripe and in the book, so that Stripe has forgotten the keys. */
    async passDay(): Promise<void> {
      double.pass(25 * 3_600_000)
      await sql(`update stripe_orders set sent_at = sent_at - interval '25 hours'`)
    },
    /** Time passes, at Stripe and in the book. */
    passMinutes,
    /** So much time passes, at Stripe and in the book, that Stripe's search surely knows all. */
    passHours: (hours: number): Promise<void> => passMinutes(hours * 60),
  }
}

/** The error of a call that fails, after a check that no secret is anywhere in it. */
export async function errorOf(call: Promise<unknown>): Promise<Error> {
  const error = await call.then(
    (answer) => assert.fail(`it answered ${inspect(answer)}`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Error)
  const text = inspect(error, { depth: 20, showHidden: true }) + String(error.stack) + JSON.stringify(error)
  assert.doesNotMatch(text, new RegExp(marker))
  return error
}
