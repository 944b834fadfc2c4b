import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remindStaff } from '../../activities/review-reminder.ts'
import { pageOf } from '../support/api.ts'
import { callAs, leftOpen, register, requestReview } from '../support/destination.ts'
import { useStack } from '../support/use-stack.ts'
import { addUser, type TestUser } from '../support/user.ts'

// One queue of all reviews: what is due first, what is late, and what is claimed.
const stack = await useStack()
const ada = await addUser(stack, { accountId: null, role: 'reviewer' })
const ben = await addUser(stack, { accountId: null, role: 'reviewer' })

const get = (user: TestUser, path: string) => callAs(stack.merchant, user, 'GET', `/api/v1/admin/reviews${path}`)
const list = async (query: string, user = ada) => pageOf(await get(user, `?state=open&${query}`))
const countsFor = async (user: TestUser) => (await get(user, '/counts')).body
const hour = 3_600_000
const agoInSql = `claimed_at = claimed_at - interval '61 minutes'`

/** The review of a new destination, which has been in the queue for so many hours. */
async function waiting(hours: number): Promise<string> {
  const { id } = await register(stack.merchant, 'NGN', leftOpen)
  const [row] = await stack.sql<{ id: string }>(
    `update reviews set reminds_at = ?, created_at = ? where resource_id = ? returning id`,
    [new Date(Date.now() + (24 - hours) * hour), new Date(Date.now() - hours * hour), id],
  )
  assert.ok(row)
  return row.id
}
const claim = (user: TestUser, id: string) => callAs(stack.merchant, user, 'POST', `/api/v1/admin/reviews/${id}/claim`)

const [young, old, middle] = [await waiting(1), await waiting(30), await waiting(23)]

test('the queue by what is due begins with the late ones, and goes on by cursor in both directions', async () => {
  const idsOf = ({ items }: Awaited<ReturnType<typeof list>>) => items.map((item) => item['review_id'])
  const first = await list('order=due&limit=2')
  assert.deepEqual(idsOf(first), [old, middle])
  const second = await list(`order=due&limit=2&cursor=${first.pagination.next_cursor}`)
  assert.deepEqual(idsOf(second), [young])
  assert.deepEqual(idsOf(await list(`order=due&limit=2&cursor=${second.pagination.prev_cursor}`)), [old, middle])
})

test('late reviews are open for more than a day, or were reminded of by their own clock', async () => {
  const lateIds = async () => (await list('late=true')).items.map((item) => item['review_id']).toSorted()
  assert.deepEqual(await lateIds(), [old])
  await stack.sql('update reviews set reminded_at = now() where id = ?', [young])
  assert.deepEqual(await lateIds(), [old, young].toSorted())
  assert.equal((await countsFor(ada))['late'], 2)
  await stack.sql('update reviews set reminded_at = null where id = ?', [young])
})

test('a person sees what they have claimed, for an hour, and the counts say the same', async () => {
  await claim(ada, middle)
  await claim(ben, old)
  const mine = async (user: TestUser) => (await list('claimed_by=me', user)).items.map((item) => item['review_id'])
  assert.deepEqual([await mine(ada), await mine(ben)], [[middle], [old]])
  assert.deepEqual(await countsFor(ada), {
    open: 3,
    late: 1,
    claimed_by_me: 1,
    by_type: { payout_destination: 3, payout: 0, account: 0 },
  })
  await stack.sql(`update reviews set ${agoInSql} where id = ?`, [middle])
  assert.deepEqual([await mine(ada), (await countsFor(ada))['claimed_by_me']], [[], 0])
})

test('a decided review is in no count and never late', async () => {
  const id = await waiting(40)
  const [row] = await stack.sql<{ resource_id: string }>('select resource_id from reviews where id = ?', [id])
  await requestReview(stack.merchant, ada, { id: row?.resource_id ?? '' }, { decision: 'approve' })
  assert.deepEqual([(await countsFor(ada))['open'], (await countsFor(ada))['late']], [3, 1])
  assert.ok(!(await list('late=true')).items.some((item) => item['review_id'] === id))
})

test('the queue by what is due reads an index', async () => {
  await stack.sql(
    `insert into reviews (id, account_id, environment, type, resource_id, reason, state, decision, decided_at,
       reminds_at, escalates_at, created_at, updated_at)
     select 'rvw_' || n, ?, 'sandbox', 'payout', 'pay_' || n, 'x', 'decided', 'approve', now(), now(), now(), now(),
       now() from generate_series(1, 20000) n`,
    [stack.organizationId],
  )
  await stack.sql('analyze reviews')
  const rows = await stack.sql<Record<string, string>>(
    `explain select * from reviews where state = 'open' order by reminds_at, id limit 51`,
  )
  assert.match(rows.map((row) => Object.values(row)[0]).join('\n'), /using reviews_due/)
})

test('the reminder names a claim that still holds, and none that has ended', async (t) => {
  const { deliver } = stack.deps.mailer
  t.after(() => Object.assign(stack.deps.mailer, { deliver }))
  const sent: string[] = []
  stack.deps.mailer.deliver = async ({ text }) => void sent.push(text)
  for (const claimedAgo of ['claimed_at = claimed_at', agoInSql]) {
    const id = await waiting(30)
    await claim(ben, id)
    const [review] = await stack.sql<{ resourceId: string; revision: number }>(
      `update reviews set ${claimedAgo} where id = ? returning resource_id as "resourceId", revision`,
      [id],
    )
    assert.ok(review)
    await remindStaff(stack.deps, { type: 'payout_destination', ...review, clockId: null }, Date.now())
  }
  assert.deepEqual(
    sent.map((text) => text.split('\n')[1]),
    [`Claimed by ${ben.id}.`, 'Nobody has claimed it.'],
  )
})
