import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/api.ts'
import { dataOf } from '../support/cart.ts'
import { card, cards, type Reply } from '../support/merchant.ts'
import { createLink, type Json, type Link, opened, type Opened } from '../support/payment-link.ts'
import { changeAccount, changeSession } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A link completes at most max_completions times, however many pay at once and in whatever way.
const stack = await useStack({ invariants: 'after each test' })
await useApi(stack)
const { merchant } = stack

const naira = { price_type: 'fixed', amount: '5000.00', currency: 'NGN' }
const shillings = { price_type: 'fixed', amount: '1000.00', currency: 'KES' }
/** A wallet whose owner leaves the prompt unanswered. */
const unanswered = '+254700000005'
const byCard = (number = cards.success) => ({ payment_method: 'USD_CARD', card: card(number), confirm: true })

async function openings(link: Link, count: number): Promise<Opened[]> {
  const sessions: Opened[] = []
  for (let made = 0; made < count; made++) sessions.push(await opened(merchant, link))
  return sessions
}

const countOf = async ({ payment_link_id }: Link) =>
  (await merchant.call('GET', `/v1/payment-links/${payment_link_id}`)).body['completed_count'] as unknown
const statusOf = async ({ checkout_id }: Opened) => ((await merchant.getCheckout(checkout_id)) as Json)['status']

/** How many sessions completed, once no payment is processing; every other call must have been a CONFLICT. */
async function completedOf(sessions: Opened[], replies: Reply[]): Promise<number> {
  const refused = replies.filter(({ status }) => status !== 200)
  for (const reply of refused) assertError(reply, 409, 'CONFLICT')
  let rows: { status: string; payment_status: string }[] = []
  const areSettled = async () => {
    const ids = sessions.map(({ checkout_id }) => `'${checkout_id}'`).join(', ')
    rows = await stack.sql(`select status, payment_status from checkouts where id in (${ids})`)
    return rows.every(({ payment_status }) => payment_status !== 'processing')
  }
  await until(areSettled, 'no payment is under way')
  const completed = rows.filter(({ status }) => status === 'completed').length
  assert.equal(completed + refused.length, sessions.length)
  return completed
}

test('of twelve buyers who pay by card at once for a link with a limit of three, three are charged', async () => {
  const link = await createLink(merchant, { max_completions: 3 })
  const sessions = await openings(link, 12)
  const replies = await Promise.all(sessions.map((session) => merchant.pay(session, byCard())))
  assert.equal(await completedOf(sessions, replies), 3)
  assert.equal(await countOf(link), 3)
  const charged = await stack.sql(
    `select c.id from simulated_charges s join payments p on p.id = s.payment_id
     join checkouts c on c.id = p.checkout_id where c.payment_link_id = ?`,
    [link.payment_link_id],
  )
  assert.equal(charged.length, 3)
})

test('the limit of a free link holds too', async () => {
  const link = await createLink(merchant, { price: { price_type: 'free', currency: 'USD' }, max_completions: 2 })
  const sessions = await openings(link, 6)
  const replies = await Promise.all(sessions.map((session) => merchant.pay(session, {})))
  assert.equal(await completedOf(sessions, replies), 2)
  assert.equal(await countOf(link), 2)
})

test('a link without a limit counts all sessions that complete at once', async () => {
  const link = await createLink(merchant)
  const sessions = await openings(link, 8)
  const replies = await Promise.all(sessions.map((session) => merchant.pay(session, byCard())))
  assert.equal(await completedOf(sessions, replies), 8)
  assert.equal(await countOf(link), 8)
})

test('a payment that is processing keeps its place, and one that fails gives it back', async () => {
  const link = await createLink(merchant, { max_completions: 1 })
  const [held, other] = (await openings(link, 2)) as [Opened, Opened]
  const set = (status: 'processing' | 'failed') => changeSession(stack, held.checkout_id, { paymentStatus: status })
  await merchant.pay(held, byCard(cards.threeDs))
  await set('processing')
  assertError(await merchant.pay(other, byCard()), 409, 'CONFLICT')
  await set('failed')
  assert.equal((await merchant.payByCard(other))['status'], 'completed')
  assertError(await merchant.pay(held, byCard()), 409, 'CONFLICT')
})

test('a buyer who is asked on the phone keeps the place, and frees it by ending the session', async () => {
  const link = await createLink(merchant, { price: shillings, max_completions: 1 })
  const [prompted, typing, other] = (await openings(link, 3)) as [Opened, Opened, Opened]
  await merchant.pay(typing, { ...byCard(cards.threeDs), payment_method: 'USD_CARD' })
  const attempt = await merchant.payByPhone(prompted, { phone_number: unanswered })
  assert.equal(attempt.payment_status, 'requires_action')
  const wallet = { payment_method: 'MOMO_KES', phone_number: unanswered, provider: 'mpesa', confirm: true }
  assertError(await merchant.pay(other, wallet), 409, 'CONFLICT')
  assertError(await merchant.confirm(typing, { code: '123456' }), 409, 'CONFLICT')
  assert.equal((await merchant.cancel(prompted.checkout_id)).status, 200)
  const confirmed = await merchant.confirm(typing, { code: '123456' })
  assert.equal(confirmed.body['payment_status'], 'succeeded', confirmed.text)
  assertError(await merchant.pay(other, byCard()), 409, 'CONFLICT')
  assert.equal(await countOf(link), 1)
})

test('a prompt that its buyer has left keeps the place for as long as the rail has not cancelled it', async () => {
  const link = await createLink(merchant, { price: shillings, max_completions: 1 })
  const [prompted, other] = (await openings(link, 2)) as [Opened, Opened]
  const { payment_id: left } = await merchant.payByPhone(prompted, { phone_number: unanswered })
  assert.equal((await merchant.pay(prompted, { payment_method: 'USD_CARD', card: card(cards.success) })).status, 200)
  const cancelling = async () =>
    (await stack.sql<{ cancelling: string | null }>('select cancelling from payments where id = ?', [left]))[0]
      ?.cancelling
  await until(async () => (await cancelling()) === 'done', 'the rail has cancelled the prompt')
  // As at a rail that cancels none: the buyer may still agree.
  await stack.sql('update payments set cancelling = null where id = ?', [left])
  assertError(await merchant.pay(other, byCard()), 409, 'CONFLICT')
  await stack.sql(`update payments set cancelling = 'done' where id = ?`, [left])
  assert.equal((await merchant.payByCard(other))['status'], 'completed')
})

test('of two buyers who pay by mobile money at once for the last sale, one is asked on the phone', async () => {
  const link = await createLink(merchant, { price: shillings, max_completions: 1 })
  const sessions = await openings(link, 2)
  const wallet = { payment_method: 'MOMO_KES', phone_number: unanswered, provider: 'mpesa', confirm: true }
  const replies = await Promise.all(sessions.map((session) => merchant.pay(session, wallet)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409])
})

test('a choice cannot be confirmed after the link has sold out, and nothing is charged', async () => {
  const link = await createLink(merchant, { max_completions: 1 })
  const [chosen, waiting, quick] = (await openings(link, 3)) as [Opened, Opened, Opened]
  const choice = await merchant.pay(chosen, { ...byCard(), confirm: false })
  assert.equal(choice.body['payment_status'], 'requires_confirmation')
  const code = await merchant.pay(waiting, byCard(cards.threeDs))
  assert.equal(code.body['payment_status'], 'requires_action')
  assert.equal((await merchant.payByCard(quick))['status'], 'completed')
  const refused = await merchant.confirm(chosen)
  assertError(refused, 409, 'CONFLICT')
  assert.partialDeepStrictEqual(refused.body['errors'], [{ code: 'payment_link_sold_out' }])
  assertError(await merchant.confirm(waiting, { code: '123456' }), 409, 'CONFLICT')
  for (const session of [chosen, waiting]) {
    assert.equal(await statusOf(session), 'open')
    assert.equal((await merchant.cancel(session.checkout_id)).status, 200)
  }
  assert.equal(await countOf(link), 1)
})

test('of two codes that are sent at once for the last sale, one pays', async () => {
  const link = await createLink(merchant, { max_completions: 1 })
  const sessions = await openings(link, 2)
  for (const session of sessions) await merchant.pay(session, byCard(cards.threeDs))
  const replies = await Promise.all(sessions.map((session) => merchant.confirm(session, { code: '123456' })))
  assert.equal(await completedOf(sessions, replies), 1)
  assert.equal(await countOf(link), 1)
})

/** Two buyers choose a bank transfer for the last sale; both send the money at the same moment. */
async function crossTransfers() {
  const link = await createLink(merchant, { price: naira, max_completions: 1 })
  const sessions = await openings(link, 2)
  const attempts = await Promise.all(sessions.map((session) => merchant.payByTransfer(session)))
  await Promise.all(attempts.map(({ payment_id }) => merchant.deposit(payment_id)))
  await stack.dispatched()
  const statuses = await Promise.all(sessions.map(statusOf))
  assert.deepEqual(statuses.toSorted(), ['cancelled', 'completed'])
  assert.equal(await countOf(link), 1)
  const loser = statuses.indexOf('cancelled')
  const paymentId = attempts[loser]?.payment_id ?? ''
  assert.equal((await dataOf(stack, 'collection.succeeded', paymentId))['late'], true)
  assert.equal((await merchant.pay(sessions[loser] as Opened, {})).status, 409)
  return { link, paymentId, winner: attempts[1 - loser]?.payment_id ?? '' }
}

test('a transfer after the last sale is late money, and each sale is counted once', async () => {
  const { link, paymentId, winner } = await crossTransfers()
  assert.equal(((await merchant.getPayment(paymentId)) as Json)['status'], 'succeeded')
  await merchant.deposit(winner, { amount: '10.00' })
  assert.equal(await countOf(link), 1)
})

test('a transfer after the last sale is refunded if the account refunds late money', async () => {
  const setPolicy = (policy: 'accept' | 'refund') =>
    changeAccount(stack, stack.organizationId, { latePaymentPolicy: policy })
  await setPolicy('refund')
  try {
    const { paymentId, winner } = await crossTransfers()
    const refunds = await stack.sql<{ charge_id: string }>('select charge_id from refunds where charge_id in (?, ?)', [
      paymentId,
      winner,
    ])
    assert.deepEqual(refunds, [{ charge_id: paymentId }])
  } finally {
    await setPolicy('accept')
  }
})

test('a card and a transfer at once complete one of two sessions, and all money is accounted for', async () => {
  for (let round = 0; round < 5; round++) {
    const link = await createLink(merchant, { price: naira, max_completions: 1 })
    const [byCode, byBank] = (await openings(link, 2)) as [Opened, Opened]
    await merchant.pay(byCode, { ...byCard(cards.threeDs), payment_method: 'NGN_CARD' })
    const { payment_id } = await merchant.payByTransfer(byBank)
    const [confirmed] = await Promise.all([merchant.confirm(byCode, { code: '123456' }), merchant.deposit(payment_id)])
    assert.ok([200, 409].includes(confirmed.status), confirmed.text)
    await stack.dispatched()
    const completed = (await Promise.all([byCode, byBank].map(statusOf))).filter((status) => status === 'completed')
    assert.equal(completed.length, 1)
    assert.equal(await countOf(link), 1)
  }
})

test('a limit that is lowered while the last payments are made is never exceeded', async () => {
  const link = await createLink(merchant, { max_completions: 4 })
  const sessions = await openings(link, 4)
  const lower = () => merchant.call('PATCH', `/v1/payment-links/${link.payment_link_id}`, { max_completions: 2 })
  const [lowered, ...replies] = await Promise.all([
    lower(),
    ...sessions.map((session) => merchant.pay(session, byCard())),
  ])
  const completed = await completedOf(sessions, replies)
  assert.ok(lowered.status === 200 ? completed <= 2 : completed > 2, `${lowered.status}, ${completed} completed`)
  assert.equal(await countOf(link), completed)
})
