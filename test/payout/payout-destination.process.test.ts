import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Review } from '../../db/review/review.ts'
import { assertError } from '../support/api.ts'
import { detailsOf } from '../support/details.ts'
import {
  approve,
  requestReview,
  change,
  type Destination,
  leftOpen,
  destinationPath,
  read,
  register,
  reject,
} from '../support/destination.ts'
import { settled } from '../support/settled.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { textIn } from '../support/texts.ts'
import { addUser } from '../support/user.ts'

// What happens to a destination that waits for a decision, by the process's clock.
const minute = 60_000
const hour = 60 * minute

const stack = await useStack({ skipping: true, invariants: 'after each test', dormant: [] })
await useApi(stack)
const reviewer = await addUser(stack, { accountId: stack.organizationId, role: 'reviewer' })

/** Registers a destination that only a reviewer decides about, and waits until its process waits. */
async function waiting(): Promise<Destination> {
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  await rests(destination)
  return destination
}

async function rests({ id }: { id: string }): Promise<void> {
  await stack.dispatched()
  await settled(stack.client, 'payout-destination', id)
}

async function skip(of: { id: string }, ms: number): Promise<void> {
  await stack.skip(ms)
  await rests(of)
}

type Times = Record<'reminded' | 'escalated' | 'opened', number | null>
async function reviewOf({ id }: { id: string }): Promise<Pick<Review, 'state' | 'revision'> & Times> {
  const [row] = await stack.sql<Pick<Review, 'state' | 'revision'> & Times>(
    `select state, revision, (extract(epoch from reminded_at) * 1000)::float8 as reminded,
       (extract(epoch from escalated_at) * 1000)::float8 as escalated,
       (extract(epoch from created_at) * 1000)::float8 as opened
     from reviews where resource_id = ? order by revision desc limit 1`,
    [id],
  )
  assert.ok(row)
  return row
}

const mails = async () => (await stack.sql('select from kept_mails where account_id is null')).length

/** Waits until a destination's process has ended, and returns its result. */
async function finished({ id }: { id: string }): Promise<unknown> {
  await stack.dispatched()
  return stack.finished('payout-destination', id)
}

test('the sandbox decides by itself after five seconds and not before, by the last digits of the number', async () => {
  const good = await register(stack.merchant)
  const bad = await register(stack.merchant, 'GBP', { account_number: '31920009' })
  await rests(good)
  await rests(bad)
  assert.equal(await finished(good), 'approved')
  assert.equal(await finished(bad), 'rejected')
  const approved = await read(stack.merchant, good)
  const rejected = await read(stack.merchant, bad)
  assert.deepEqual([approved.status, approved.is_usable, approved['status_reason']], ['approved', true, null])
  assert.deepEqual([rejected.status, rejected.is_usable], ['rejected', false])
  assert.match(String(rejected['status_reason']), /0009/)
  for (const { reviewed_at, created_at } of [approved, rejected]) {
    const waited = Date.parse(String(reviewed_at)) - Date.parse(String(created_at))
    assert.ok(waited >= 5_000 && waited < 10 * minute, `${waited} ms`)
  }
})

test('the last digits of phone numbers and wallets mean the same', async () => {
  const phone = await register(stack.merchant, 'wallet_KES', { phone_number: '+254712340009' })
  const wallet = await register(stack.merchant, 'USDT_ERC20', { wallet_address: `0x${'1'.repeat(36)}0009` })
  const fine = await register(stack.merchant, 'USDT_SOL')
  const ends = []
  for (const each of [phone, wallet, fine]) ends.push(await finished(each))
  assert.deepEqual(ends, ['rejected', 'rejected', 'approved'])
})

test('staff get one reminder after 24 hours and an escalation after 72, not a minute before', async () => {
  const sent = await mails()
  const destination = await waiting()
  const { opened } = await reviewOf(destination)
  const says = () => detailsOf(stack.client, 'payout-destination', destination.id)
  assert.match(await says(), /^Approve or reject it .* Waiting for the reviewer, until \S+Z, then staff are mailed\.$/)
  await skip(destination, 24 * hour - minute)
  assert.equal((await reviewOf(destination)).reminded, null)
  await skip(destination, 2 * minute)
  const { reminded } = await reviewOf(destination)
  assert.ok(reminded !== null && opened !== null && Math.abs(reminded - opened - 24 * hour) < minute)
  assert.equal((await mails()) - sent, 1)
  await skip(destination, 48 * hour - 3 * minute)
  assert.equal((await reviewOf(destination)).escalated, null)
  await skip(destination, 3 * minute)
  const { escalated } = await reviewOf(destination)
  assert.ok(escalated !== null && Math.abs(escalated - opened - 72 * hour) < minute)
  assert.equal((await mails()) - sent, 2)
  await skip(destination, 90 * 24 * hour)
  assert.equal((await mails()) - sent, 2, 'nothing more is sent')
  assert.equal((await reviewOf(destination)).state, 'open')
  const { searchAttributes } = await stack.client.workflow.getHandle(`destination/${destination.id}`).describe()
  assert.deepEqual([searchAttributes['State'], searchAttributes['WaitingOn']], [['escalated'], ['lead reviewer']])
  assert.match(await says(), /^Approve or reject it .* Waiting for the lead reviewer, for as long as it takes\.$/)
  await approve(stack.merchant, reviewer, destination)
  assert.equal(await finished(destination), 'approved')
  assert.equal(await says(), 'Closed: approved. No action needed.')
})

test('an escalation goes to the platform’s admins if there are any', async () => {
  const [admin] = await stack.sql<{ id: string; email: string }>(
    `insert into users (id, account_id, role, email, full_name, password_hash, created_at)
     values ('usr_lead', null, 'admin', 'lead@example.com', 'Lead', 'none', now()) returning id, email`,
  )
  assert.ok(admin)
  const sent: string[] = []
  const { deliver } = stack.deps.mailer
  stack.deps.mailer.deliver = async ({ to, text }) => void sent.push(to, text)
  const destination = await waiting()
  await skip(destination, 73 * hour)
  stack.deps.mailer.deliver = deliver
  const [reminded = '', reminder = '', escalated] = sent
  assert.ok(reminded.includes(admin.email) && reminded.includes(reviewer.id), reminded)
  assert.equal(escalated, admin.email)
  assert.ok(!reminder.includes(leftOpen.account_number), reminder)
  assert.ok(reminder.split('\n').includes(`${stack.baseUrl}/ops/destinations/${destination.id}`), reminder)
  await approve(stack.merchant, reviewer, destination)
  await stack.sql(`delete from users where id = 'usr_lead'`)
})

test('a mail server that is unavailable delays the reminder, and it is not lost', async () => {
  const destination = await waiting()
  const { deliver } = stack.deps.mailer
  let tries = 0
  stack.deps.mailer.deliver = async () => {
    tries += 1
    throw new Error('unavailable')
  }
  await skip(destination, 24 * hour + 5 * minute)
  assert.ok(tries >= 4, `${tries} tries`)
  assert.equal((await reviewOf(destination)).reminded, null)
  stack.deps.mailer.deliver = deliver
  await skip(destination, 16 * minute)
  assert.notEqual((await reviewOf(destination)).reminded, null)
  await reject(stack.merchant, reviewer, destination)
  assert.equal(await finished(destination), 'rejected')
})

test('a decision ends the wait: approved means usable, and rejected is final and gives the reason', async () => {
  const one = await waiting()
  const approved = await approve(stack.merchant, reviewer, one)
  assert.deepEqual([approved.status, approved.is_usable, approved['status_reason']], ['approved', true, null])
  assert.ok(Date.parse(String(approved['reviewed_at'])) > Date.parse(String(approved['created_at'])))
  assert.equal(await finished(one), 'approved')

  const other = await waiting()
  const rejected = await reject(stack.merchant, reviewer, other, 'Not the holder')
  assert.deepEqual(
    [rejected.status, rejected.is_usable, rejected['status_reason']],
    ['rejected', false, 'Not the holder'],
  )
  assert.equal(await finished(other), 'rejected')
  for (const body of [{ account_number: '0123456788' }, { is_default: true }]) {
    assertError(await stack.merchant.call('PATCH', destinationPath(other), body), 409, 'CONFLICT')
  }
  const renamed = await change(stack.merchant, other, { name: 'Old one', is_default: false })
  assert.deepEqual([renamed['name'], renamed.status], ['Old one', 'rejected'])
})

test('the same decision again succeeds and the opposite is CONFLICT, also after the process has ended', async () => {
  const destination = await waiting()
  const first = await approve(stack.merchant, reviewer, destination)
  assert.equal(await finished(destination), 'approved')
  assert.deepEqual(await approve(stack.merchant, reviewer, destination), first)
  const opposed = { decision: 'reject', reason: 'On second thought' }
  assertError(await requestReview(stack.merchant, reviewer, destination, opposed), 409, 'CONFLICT')
  assert.deepEqual(await read(stack.merchant, destination), first)
  const entries = await stack.sql(
    `select from audit_entries where action = 'payout_destination.approved' and target = ?`,
    [destination.id],
  )
  assert.equal(entries.length, 1)
  const decisions = await stack.sql<{ id: string }>(
    'select d.id from review_decisions d join reviews r on r.id = d.review_id where r.resource_id = ?',
    [destination.id],
  )
  assert.ok(decisions.length > 0)
  for (const { id } of decisions) assert.match(id, /^rvd_/)
})

test('of two opposite decisions at once one counts, and the other is CONFLICT', async () => {
  const second = await addUser(stack, { accountId: stack.organizationId, role: 'reviewer' })
  for (let round = 0; round < 3; round++) {
    const destination = await waiting()
    const replies = await Promise.all([
      requestReview(stack.merchant, reviewer, destination, { decision: 'approve' }),
      requestReview(stack.merchant, second, destination, { decision: 'reject', reason: 'No' }),
    ])
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409])
    const won = replies[0]?.status === 200 ? 'approved' : 'rejected'
    assert.equal((await read(stack.merchant, destination)).status, won)
    assert.equal(await finished(destination), won)
    const decided = await stack.sql<{ action: string }>(
      `select action from audit_entries where target = ? and action in (
        'payout_destination.approved', 'payout_destination.rejected')`,
      [destination.id],
    )
    assert.deepEqual(decided, [{ action: `payout_destination.${won}` }])
  }
})

test('restating a waiting destination withdraws the old review, and a decision about it is refused', async () => {
  const destination = await waiting()
  const list = await stack.sql<{ id: string }>('select id from reviews where resource_id = ?', [destination.id])
  await skip(destination, 20 * hour)
  const restated = await change(stack.merchant, destination, { account_number: '9876540008' })
  assert.equal(restated.status, 'pending_review')
  await rests(destination)
  const { revision, state, opened } = await reviewOf(destination)
  assert.deepEqual([revision, state], [2, 'open'])
  const [withdrawn] = await stack.sql('select state from reviews where resource_id = ? and revision = 1', [
    destination.id,
  ])
  assert.deepEqual(withdrawn, { state: 'withdrawn' })
  const late = { decision: 'approve', review_id: list[0]?.id }
  assertError(await requestReview(stack.merchant, reviewer, destination, late), 409, 'CONFLICT')
  assert.equal((await read(stack.merchant, destination)).status, 'pending_review')
  // The 24 hours until the reminder start again too.
  await skip(destination, 10 * hour)
  assert.equal((await reviewOf(destination)).reminded, null)
  await skip(destination, 15 * hour)
  assert.ok((opened ?? 0) + 24 * hour - ((await reviewOf(destination)).reminded ?? 0) < minute)
  await approve(stack.merchant, reviewer, destination)
  assert.equal(await finished(destination), 'approved')
})

const shownOf = async ({ id }: { id: string }) =>
  JSON.stringify((await stack.client.workflow.getHandle(`destination/${id}`).describe()).typedSearchAttributes.getAll())

test('a destination that is restated after its escalation is shown as waiting for a reviewer again', async () => {
  const destination = await waiting()
  await skip(destination, 73 * hour)
  assert.match(await shownOf(destination), /"escalated".*"lead reviewer"/)
  await change(stack.merchant, destination, { account_number: '9876540008' })
  await rests(destination)
  assert.match(await shownOf(destination), /"pending_review".*"reviewer"/)
  await skip(destination, 73 * hour)
  assert.match(await shownOf(destination), /"escalated".*"lead reviewer"/)
  await approve(stack.merchant, reviewer, destination)
  assert.equal(await finished(destination), 'approved')
})

test('a decision that crosses a restatement is about the old statement, and the process refuses it', async () => {
  const destination = await waiting()
  const about = { accountId: stack.organizationId, environment: 'sandbox', status: '', waitingOn: '', summary: '' }
  const process = { process: 'payout-destination', resourceId: destination.id, about } as const
  const [review] = await stack.sql<{ id: string }>('select id from reviews where resource_id = ?', [destination.id])
  await stack.sql(
    `insert into review_decisions (id, review_id, decision, user_id, address, created_at)
     values ('crossing', ?, 'approve', ?, '', now())`,
    [review?.id, reviewer.id],
  )
  await change(stack.merchant, destination, { bank_code: '044' })
  await rests(destination)
  for (const [statement, update] of [
    [1, 'old statement'],
    [2, 'new statement'],
  ] as const) {
    const decision = stack.services.engine.update(process, 'decide', ['crossing', statement, 'approve'], update)
    await assert.rejects(decision)
  }
  assert.equal((await read(stack.merchant, destination)).status, 'pending_review')
  await reject(stack.merchant, reviewer, destination)
})

test('a destination restated after its approval waits for a new review, in a new process', async () => {
  const destination = await register(stack.merchant)
  assert.equal(await finished(destination), 'approved')
  const restated = await change(stack.merchant, destination, { account_number: '1111110009' })
  assert.deepEqual([restated.status, restated.is_usable, restated['reviewed_at']], ['pending_review', false, null])
  await stack.dispatched()
  assert.equal(await finished(destination), 'rejected')
  assert.equal((await read(stack.merchant, destination)).status, 'rejected')
  const reviews = await stack.sql<{ decision: string }>(
    'select decision from reviews where resource_id = ? order by revision',
    [destination.id],
  )
  assert.deepEqual(reviews, [{ decision: 'approve' }, { decision: 'reject' }])
})

test('deactivating a waiting destination withdraws its review and ends its process', async () => {
  const destination = await waiting()
  const { status, body } = await stack.merchant.call('DELETE', destinationPath(destination))
  assert.deepEqual([status, body], [200, { id: destination.id, deleted: true }])
  await stack.dispatched()
  assert.equal(await finished(destination), 'deactivated')
  assert.equal((await reviewOf(destination)).state, 'withdrawn')
  assertError(await requestReview(stack.merchant, reviewer, destination, { decision: 'approve' }), 409, 'CONFLICT')
})

test('a process shows what it waits for and until when, without an account number or a name', async () => {
  const destination = await waiting()
  const handle = stack.client.workflow.getHandle(`destination/${destination.id}`)
  const { searchAttributes, raw } = await handle.describe()
  assert.deepEqual([searchAttributes['WaitingOn'], searchAttributes['Resource']], [['reviewer'], ['destination']])
  const text = textIn([raw, await handle.fetchHistory()])
  assert.match(text, /reviewer, until \d{4}-\d\d-\d\dT/)
  assert.match(text, /bank_account for payouts in NGN/)
  await approve(stack.merchant, reviewer, destination)
  for (const mark of [leftOpen.account_number, String(destination['account_name']), 'Main account']) {
    assert.ok(!text.includes(mark), mark)
  }
  await until(async () => (await handle.describe()).status.name === 'COMPLETED', 'the process ends')
})
