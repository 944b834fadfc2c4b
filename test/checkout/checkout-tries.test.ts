import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attemptsMax, assertMayTry, countDecline } from '../../domain/checkout/checkout.ts'
import { Refusal } from '../../domain/refusal.ts'
import { card, cards, sale } from '../support/merchant.ts'
import { changeSession } from '../support/rows.ts'
import { beginOnClock } from '../support/test-clock.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack()
const api = await useApi(stack) // lifts the rate limits: the limit of declines is tested here

const decline = (session: { checkout_id: string; client_secret: string }) =>
  stack.merchant.pay(session as never, { payment_method: 'USD_CARD', card: card(cards.declined), confirm: true })

test('after ten declines a session refuses attempts for a minute, before it uses the card', async () => {
  const session = await stack.merchant.createCheckout(sale)
  for (let made = 0; made < 10; made++) assert.equal((await decline(session)).body['payment_status'], 'failed')
  const refused = await decline(session)
  assert.deepEqual([refused.status, refused.body['error_code']], [429, 'TOO_MANY_REQUESTS'])
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  const [row] = await stack.sql<{ declines: number; pause: number }>(
    'select declines, extract(epoch from retry_at - updated_at)::int as pause from checkouts where id = ?',
    [session.checkout_id],
  )
  assert.deepEqual(row, { declines: 10, pause: 60 })
  const cardsKept = await stack.sql('select from simulated_cards')
  await decline(session)
  assert.equal((await stack.sql('select from simulated_cards')).length, cardsKept.length, 'no card was used')
})

test('on a test clock that is hours ahead, a session pauses after declines by the time of the clock', async () => {
  const { merchant, attach, advance } = await beginOnClock(api)
  const session = await merchant.createCheckout({ ...sale, expires_in_minutes: 1440 })
  await attach({ checkout_id: session.checkout_id })
  await advance({ by: 'PT5H' })
  for (let made = 0; made < 10; made++) assert.equal((await decline(session)).body['payment_status'], 'failed')
  const refused = await decline(session)
  assert.equal(refused.status, 429, refused.text)
  assert.ok(Number(refused.headers.get('retry-after')) <= 60, `${refused.headers.get('retry-after')} s`)
  await advance({ by: 'PT1M' })
  assert.equal((await decline(session)).body['payment_status'], 'failed')
})

test('the limit of declines counts one session: another session is not slowed down', async () => {
  const session = await stack.merchant.createCheckout(sale)
  assert.equal((await stack.merchant.payByCard(session))['status'], 'completed')
})

test('declines at the same moment do not get past the limit', async () => {
  const session = await stack.merchant.createCheckout(sale)
  const statuses: number[] = []
  for (let round = 0; round < 40 && !statuses.slice(0, -5).includes(429); round++) {
    const replies = await Promise.all(Array.from({ length: 5 }, () => decline(session)))
    statuses.push(...replies.map(({ status }) => status))
  }
  assert.ok(statuses.includes(429), 'the limit was reached')
  const [row] = await stack.sql<{ declines: number }>('select declines from checkouts where id = ?', [
    session.checkout_id,
  ])
  assert.equal(row?.declines, 10)
})

test('the pauses double up to a day', () => {
  const session = { attempts: 0, declines: 0, retryAt: null as Date | null }
  const at = Date.parse('2026-11-23T00:00:00Z')
  const pauses = Array.from({ length: 25 }, () => {
    countDecline(session, at)
    return session.retryAt ? (session.retryAt.getTime() - at) / 60_000 : null
  })
  assert.deepEqual(pauses.slice(0, 9), Array(9).fill(null))
  assert.deepEqual(pauses.slice(9, 14), [1, 2, 4, 8, 16])
  assert.equal(pauses.at(-1), 24 * 60)
  assert.doesNotThrow(() => assertMayTry(session, at + 24 * 3_600_000))
})

test('a session accepts a limited number of attempts, and says so', async () => {
  const session = await stack.merchant.createCheckout(sale)
  await changeSession(stack, session.checkout_id, { attempts: attemptsMax })
  const refused = await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })
  assert.deepEqual([refused.status, refused.body['error_code']], [409, 'CONFLICT'])
  assert.match(String(refused.body['detail']), /create a new one/)
  assert.partialDeepStrictEqual(refused.body['errors'], [{ code: 'too_many_attempts' }])
  assert.throws(() => assertMayTry({ attempts: attemptsMax, declines: 0, retryAt: null }, 0), Refusal)
})
