import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payoutActivities } from '../../activities/payout/payout.ts'
import { openPayout } from '../../commands/payout/open-payout.ts'
import { inTransaction } from '../../db/core/database.ts'
import { minuteMs } from '../../domain/duration.ts'
import { endow } from '../support/conversion.ts'
import { addDestination } from '../support/payout.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Live payouts are held for a review by facts of their account. No process runs here: the tests take its first step.
const stack = await useStack({ workers: false })

const api = await useApi(stack)

const riskLimits = { ...stack.deps.riskLimits, withinAnHour: 3 }
const { assessPayout } = payoutActivities({ ...stack.deps, riskLimits })
const tooMany = 'more than 3 payouts within an hour'

/** Live payouts of one account, in this order: each was accepted so many ms after the beginning. */
async function acceptedAt(accountId: string, times: number[]): Promise<string[]> {
  const owner = { accountId, environment: 'live' as const }
  await endow(stack, accountId, '100000.00', 'NGN', 'live')
  const destinationId = await addDestination(stack, owner)
  const since = Date.now()
  const request = { amount: '1000', sourceCurrency: 'NGN' as const, destinationId, quoteId: null, reference: null }
  const ids: string[] = []
  for (const time of times) {
    const more = { description: null, metadata: {}, simulatedOutcome: null }
    const open = inTransaction(stack.database, (em) => openPayout(em, owner, { ...request, ...more }, since + time))
    ids.push((await open).id)
  }
  return ids
}

/** Live payouts of one account that were accepted at once, the earliest first. */
const accepted = (accountId: string, count: number) => acceptedAt(accountId, [...Array(count).keys()])

const assess = (id: string) => assessPayout(id, Date.now())
const heldOf = async (ids: string[]) =>
  stack.sql<{ id: string; hold_reason: string }>(
    `select id, hold_reason from payouts where id in (?) and status = 'pending' order by id`,
    [ids],
  )

test('of payouts that were accepted before the first is looked at, only those beyond the limit are held', async () => {
  const ids = await accepted(stack.organizationId, 5)
  for (const id of ids) await assess(id)
  assert.deepEqual(
    await heldOf(ids),
    ids.slice(3).map((id) => ({ id, hold_reason: tooMany })),
  )
})

test('the limit holds whichever payout is looked at first, and for payouts that are looked at together', async () => {
  const ids = await accepted(await api.addAccount(), 12)
  const [last = '', ...others] = ids.toReversed()
  await assess(last)
  await Promise.all(others.map(assess))
  const held = await heldOf(ids)
  assert.equal(held.length, 9)
  assert.ok(!held.some(({ id }) => id === last))
})

test('payouts of different hours do not hold each other, in whichever order they are looked at', async () => {
  const everyHalfHour = Array.from({ length: 8 }, (_, each) => each * 30 * minuteMs)
  const ids = await acceptedAt(await api.addAccount(), everyHalfHour)
  for (const id of ids.toReversed()) await assess(id)
  assert.deepEqual(await heldOf(ids), [])
})

test('a payout is held where one hour that it is in has too many, not where two hours have them together', async () => {
  const minutes = [0, 0, 100, 100, 50, 101]
  const ids = await acceptedAt(
    await api.addAccount(),
    minutes.map((minute) => minute * minuteMs),
  )
  for (const id of ids.slice(0, -1)) await assess(id)
  assert.deepEqual(await heldOf(ids), [])
  await assess(ids.at(-1)!)
  assert.equal((await heldOf(ids)).length, 1)
})
