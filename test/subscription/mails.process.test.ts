import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listOpen } from '../../commands/open-rows.ts'
import { beginAnew } from '../support/begin-anew.ts'
import { loseProcess } from '../support/lose-process.ts'
import { subscriptionsOf, laterCards } from '../support/subscription.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ skipping: true, invariants: 'after each test' })
const plans = subscriptionsOf(stack)
const dayMs = 86_400_000

type Email = { to: string; subject: string; text: string }
type Kept = { subject: string; html: string }

/** The mails to an address, oldest first, as the sandbox's list has them. */
async function mailsTo(address: string): Promise<Email[]> {
  const { items } = await plans.ok<{ items: Email[] }>('GET', '/v1/test-helpers/emails?limit=100')
  return items.filter(({ to }) => to === address).toReversed()
}

/** A new customer, whose mails nobody else gets. */
const customer = (name: string, local: string) => ({ customer: { email: `${local}@example.com`, name } })
const dayOf = (moment: unknown) =>
  new Date(String(moment)).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

test('a customer is told before the trial ends, then gets a receipt, and is told of the end', async () => {
  const trial = { recurring: { interval: 'month', interval_count: 1, trial_days: 14 } }
  const begun = await plans.subscribe({ product: trial, session: customer('Ngozi', 'ngozi') })
  await stack.skip(10.5 * dayMs)
  assert.deepEqual(await mailsTo('ngozi@example.com'), [], 'not before 3 days ahead')
  await stack.skip(dayMs)
  await plans.mailed(begun.subscription_id, 1)
  await stack.skip(4 * dayMs)
  await plans.mailed(begun.subscription_id, 2)
  await plans.act(begun.subscription_id, 'cancel', { at_period_end: false })
  await plans.mailed(begun.subscription_id, 3)
  const [ending, receipt, ended] = await mailsTo('ngozi@example.com')
  assert.match(ending?.subject ?? '', /^Your trial at .+ ends on /)
  assert.match(
    (ending?.text ?? '').replaceAll('\u00a0', ' '),
    /\$25\.00 USD is charged each month, unless you cancel before\./,
  )
  assert.ok((ending?.text ?? '').includes(dayOf(begun['trial_end'])))
  assert.match((receipt?.text ?? '').replaceAll('\u00a0', ' '), /Thank you for your payment of \$25\.00 USD/)
  assert.match(receipt?.text ?? '', /INV-\d{6}/)
  assert.match(ended?.subject ?? '', /has ended$/)
  assert.match(ended?.text ?? '', /Nothing more will be charged/)
})

test('a receipt names what was charged: with the fee its customer bears, in the currency of the card', async () => {
  const settings = '/v1/accounts/checkout/settings'
  await plans.ok('PUT', settings, { fee_preference: 'customer_pays' })
  const product = { currency: 'NGN', amount: '40000.00' }
  const { subscription_id: id } = await plans.subscribe({ product, session: customer('Ife', 'ife') })
  await plans.ok('PUT', settings, { fee_preference: 'org_pays' })
  await plans.mailed(id, 1)
  const { items } = await plans.ok<{ items: Record<'amount' | 'currency' | 'fee_preference', string>[] }>(
    'GET',
    `/v1/payments?subscription_id=${id}`,
  )
  assert.deepEqual([items[0]?.currency, items[0]?.fee_preference], ['USD', 'customer_pays'])
  const [receipt] = await mailsTo('ife@example.com')
  assert.match(receipt?.text.replaceAll('\u00a0', ' ') ?? '', new RegExp(`payment of \\$${items[0]?.amount} USD for`))
})

test('who could not be charged gets the link to pay, and hears when it is tried again; no card is named', async () => {
  const begun = await plans.subscribe({ number: laterCards.declines, session: customer('<b>Efe</b>', 'efe') })
  await stack.skip(Date.parse(begun.current_period_end) - (await stack.clock.now()) + 61_000)
  await plans.until(begun.subscription_id, ({ status }) => status === 'past_due')
  await plans.mailed(begun.subscription_id, 2)
  const failed = (await mailsTo('efe@example.com')).at(-1)
  const [, invoice] = await plans.invoices(begun.subscription_id)
  assert.match(failed?.subject ?? '', /^Your payment to .+ failed$/)
  assert.ok((failed?.text ?? '').includes(`Pay now: ${String(invoice?.['hosted_invoice_url'])}`))
  assert.match(failed?.text ?? '', /We will try again on \d+ \w+ 2\d{3}/)
  assert.ok(!/\d{4} ?\d{4}|0341/.test(failed?.text ?? ''), 'no digits of the card')
  const kept = await stack.sql<{ sealed: string }>('select sealed from kept_mails')
  const mails = kept.map(({ sealed }) => JSON.parse(stack.services.encrypter.decrypt(sealed)) as Kept)
  const html = mails.find(({ subject }) => subject === failed?.subject)?.html ?? ''
  assert.ok(html.includes('Hello &lt;b&gt;Efe&lt;/b&gt;,'), html)
})

test('a mail server that is away delays the mail and nothing else: it is sent once the server is back', async () => {
  const { deliver } = stack.deps.mailer
  let tries = 0
  stack.deps.mailer.deliver = async (mail) => {
    tries += 1
    if (tries < 4) throw new Error('the mail server is away')
    if (tries < 7) throw refusal(535, 'AUTH PLAIN') // it does not know its operator's password for the moment
    await deliver(mail)
  }
  const begun = await plans.subscribe({ session: customer('Sade', 'sade') })
  const handle = stack.client.workflow.getHandle(`subscription/${begun.subscription_id}`)
  const read = () => handle.query('__temporal_workflow_metadata')
  const isSaid = async () =>
    JSON.stringify(await read()).match(/Waiting for the mail server, until \S+Z, then it is sent again/) !== null
  await until(isSaid, 'staff read that the mail server is awaited')
  await stack.skip(35 * dayMs)
  await plans.until(begun.subscription_id, ({ current_period_start: at }) => at === begun.current_period_end)
  await stack.skip(3_600_000)
  stack.deps.mailer.deliver = deliver
  await plans.mailed(begun.subscription_id, 2)
  assert.equal((await mailsTo('sade@example.com')).length, 2, 'each receipt once')
})

test('a mail that its server refuses is sent again until it is taken, and the next one before that', async () => {
  const { deliver } = stack.deps.mailer
  let refused = 0
  let mayTake = false
  stack.deps.mailer.deliver = async (mail) => {
    if (mail.subject.endsWith(' has ended') || mayTake) return deliver(mail)
    refused += 1
    throw refusal(554, 'RCPT TO') // "Client host rejected", as Postfix says only then
  }
  try {
    const { subscription_id: id } = await plans.subscribe({ session: customer('Kemi', 'kemi') })
    await until(async () => refused > 0, 'the receipt is refused')
    await plans.act(id, 'cancel', { at_period_end: false })
    assert.equal(refused, 1, 'it rests before it tries again')
    await stack.skip(310_000)
    await until(async () => (await mailsTo('kemi@example.com')).length > 0, 'the next mail is sent')
    assert.equal(refused, 2)
    mayTake = true
    await stack.skip(600_000)
    assert.equal(await stack.finished('subscription', id), 'canceled')
    const [ended, receipt, ...more] = (await mailsTo('kemi@example.com')).map(({ subject }) => subject)
    assert.match(ended ?? '', / has ended$/)
    assert.match(receipt ?? '', /^Your receipt /)
    assert.deepEqual(more, [])
  } finally {
    stack.deps.mailer.deliver = deliver
  }
})

test('a mail that its server refuses for three days is given up, and the process ends', async () => {
  const { deliver } = stack.deps.mailer
  const refused = new Set<string>()
  stack.deps.mailer.deliver = async ({ subject }) => {
    refused.add(subject)
    throw refusal(550, 'DATA')
  }
  try {
    const { subscription_id: id } = await plans.subscribe({ session: customer('Tola', 'tola') })
    await plans.act(id, 'cancel', { at_period_end: false })
    await stack.skip(310_000)
    await until(async () => refused.size === 2, 'both mails are refused')
    const unsent = 'select from subscription_mails where subscription_id = ? and sent_at is null'
    assert.equal((await stack.sql(unsent, [id])).length, 2)
    await stack.sql(
      `update subscription_mails set created_at = created_at - interval '3 days'
      where subscription_id = ?`,
      [id],
    )
    await stack.skip(600_000)
    assert.equal(await stack.finished('subscription', id), 'canceled')
    assert.equal((await stack.sql(unsent, [id])).length, 0)
    assert.deepEqual(await mailsTo('tola@example.com'), [])
  } finally {
    stack.deps.mailer.deliver = deliver
  }
})

/** How a mail server's refusal arrives: its code, and what it was told when it answered so. */
const refusal = (responseCode: number, command: string) =>
  Object.assign(new Error('refused'), { responseCode, command })

test('the mail that a subscription has ended is sent although its process was lost meanwhile', async () => {
  const { deliver } = stack.deps.mailer
  const begun = await plans.subscribe({ session: customer('Bola', 'bola') })
  await plans.mailed(begun.subscription_id, 1)
  stack.deps.mailer.deliver = async () => {
    throw new Error('the mail server is away')
  }
  await plans.act(begun.subscription_id, 'cancel', { at_period_end: false })
  await loseProcess(stack.client, 'subscription', begun.subscription_id)
  stack.deps.mailer.deliver = deliver
  assert.deepEqual(
    await listOpen(stack.database.orm.em.fork(), 'subscription', await stack.clock.now()),
    [...(await othersOpen(begun.subscription_id)), begun.subscription_id].toSorted(),
  )
  await beginAnew(stack, 'subscription', 'subscriptions', begun.subscription_id)
  await plans.mailed(begun.subscription_id, 2)
  assert.match((await mailsTo('bola@example.com')).at(-1)?.subject ?? '', /has ended$/)
})

const othersOpen = async (id: string) =>
  (await stack.sql<{ id: string }>(`select id from subscriptions where status <> 'canceled' and id <> ?`, [id])).map(
    (row) => row.id,
  )
