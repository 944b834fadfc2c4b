import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineItemOf } from '../../domain/checkout/line-item.ts'
import { newId } from '../../domain/id.ts'
import { allowsAction, type Flow, flowTypes } from '../../domain/subscription/customer-session.ts'
import {
  amountLine,
  composeInvoice,
  invoiceMoves,
  invoiceNumber,
  invoiceStatuses,
  mayBePaid,
  moveInvoice,
  openedAheadMs,
  planLine,
  planOfPart,
} from '../../domain/subscription/invoice.ts'
import { mergeSubscriptionMetadata } from '../../domain/subscription/metadata.ts'
import { nextStepOf, reminderAheadMs, spreadOf, type SubscriptionTimes } from '../../domain/subscription/next-step.ts'
import { changePlan, type Changing, dueNow, type Proration } from '../../domain/subscription/plan-change.ts'
import {
  aboutSubscription,
  subscriptionChanges,
  subscriptionProcess,
  waitingOnOf,
} from '../../domain/subscription/process.ts'
import {
  isSameRhythm,
  moveSubscription,
  type Plan,
  planOf,
  subscriptionMoves,
  subscriptionStatuses,
} from '../../domain/subscription/subscription.ts'
import { tryAll } from '../support/try-all.ts'

// The rules of subscriptions and invoices, tested without a running service.

const day = 86_400_000
const start = Date.parse('2027-04-01T00:00:00Z')
const end = Date.parse('2027-05-01T00:00:00Z')

test('every transition of a subscription and of an invoice is legal or refused, as the contract’s tables say', () => {
  const subscriptions = {
    trialing: ['active', 'past_due', 'paused', 'canceled'],
    active: ['past_due', 'paused', 'canceled'],
    past_due: ['active', 'paused', 'canceled'],
    paused: ['trialing', 'active', 'past_due', 'canceled'],
    canceled: ['active'],
  } as const
  tryAll(subscriptions, subscriptionStatuses, moveSubscription)
  assert.deepEqual(subscriptionMoves, subscriptions)
  const invoices = {
    draft: ['open', 'void'],
    open: ['paid', 'void', 'uncollectible'],
    uncollectible: ['paid', 'void'],
    paid: [],
    void: [],
  } as const
  tryAll(invoices, invoiceStatuses, moveInvoice)
  assert.deepEqual(invoiceMoves, invoices)
})

const plan = (price: string, interval: 'month' | 'year' = 'month', name = `Plan ${price}`): Plan => {
  const offered = {
    product_id: 'prod_1',
    product_name: name,
    unit_amount: price,
    currency: 'USD',
    price_type: 'fixed',
    minimum_amount: null,
    maximum_amount: null,
    suggested_amount: null,
  } as const
  return planOf([lineItemOf(offered, { product_id: 'prod_1' })], 'USD', { interval, interval_count: 1, trial_days: 0 })
}
const changing: Changing = {
  status: 'active',
  plan: plan('10'),
  period: { start, end },
  anchor: start,
  charged: { amount: '10.00', start },
  paid: [],
  returned: [],
  credit: '0',
}
const middle = start + 15 * day
const change = (to: Plan, proration: Proration = 'prorate', more: Partial<Changing> = {}) =>
  changePlan({ ...changing, ...more }, to, proration, middle)
const linesOf = (changed: ReturnType<typeof changePlan>) =>
  changed.lines.map(({ kind, product_name: name, line_total: total }) => `${kind} ${name} ${total}`)

test('a dearer plan in the middle of a period is paid at once: half is given back and half charged', () => {
  const changed = change(plan('30'))
  assert.deepEqual(linesOf(changed), [
    'unused Unused time of Plan 10 -5.00',
    'remaining Remaining time of Plan 30 15.00',
  ])
  assert.equal(dueNow(changed), '10.00')
  assert.deepEqual(
    [changed.credit, changed.period, changed.charged, changed.anchor, changed.effectiveAt],
    ['0.00', { start, end }, { amount: '15', start: middle }, null, middle],
  )
  for (const line of changed.lines) {
    assert.deepEqual(
      [line.period_start, line.period_end],
      [new Date(middle).toISOString(), new Date(end).toISOString()],
    )
    assert.deepEqual([line.currency, line.quantity, line.price_type, line.product_id], ['USD', 1, 'fixed', null])
  }
})

test('a cheaper plan pays nothing now and leaves credit; credit is used before money', () => {
  const cheaper = change(plan('4'))
  assert.deepEqual([cheaper.invoice, dueNow(cheaper), cheaper.credit], [null, '0', '3.00'])
  const same = change(plan('10', 'month', 'Other'))
  assert.equal(same.invoice, null, 'nothing is to be paid')
  const credited = change(plan('30'), 'prorate', { credit: '4' })
  assert.deepEqual([dueNow(credited), credited.credit], ['6.00', '0.00'])
  const more = change(plan('30'), 'prorate', { credit: '14' })
  assert.deepEqual([dueNow(more), more.credit], ['0.00', '4.00'])
})

test('another rhythm ends the period: the rest is given back, and a period of the new plan is paid', () => {
  const changed = change(plan('100', 'year'))
  assert.deepEqual(linesOf(changed), ['unused Unused time of Plan 10 -5.00', 'plan Plan 100 100.00'])
  assert.equal(dueNow(changed), '95.00')
  const ends = Date.parse('2028-04-16T00:00:00Z')
  assert.deepEqual(changed.period, { start: middle, end: ends })
  assert.deepEqual(
    [changed.anchor, changed.effectiveAt, changed.charged],
    [middle, middle, { amount: '100', start: middle }],
  )
  const [unused, fresh] = changed.lines
  assert.deepEqual(
    [unused?.period_start, unused?.period_end],
    [new Date(middle).toISOString(), new Date(end).toISOString()],
  )
  assert.deepEqual(
    [fresh?.period_start, fresh?.period_end],
    [new Date(middle).toISOString(), new Date(ends).toISOString()],
  )
  const late = changePlan(changing, plan('100', 'year'), 'prorate', end)
  assert.deepEqual(linesOf(late), ['plan Plan 100 100.00'], 'no time is left to give back')
})

test('at the end of a period nothing is exchanged, so no line is written', () => {
  const late = changePlan(changing, plan('30'), 'prorate', end)
  assert.deepEqual([late.lines, late.invoice], [[], null])
})

test('of a refund only the part for the time of the charge counts: its payment was for a longer period', () => {
  const returned = [
    { id: 'ref_1', paymentId: 'pay_1', amount: '4.00', part: '0.4', period: { start, end: start + 60 * day } },
  ]
  const changed = change(plan('4'), 'prorate', { returned })
  assert.deepEqual(
    [changed.returned, changed.credit, changed.withheld],
    ['2', '2.00', { ref_1: '1.00', 'ref_1/part': '0.4' }],
  )
})

test('without a proration nothing is booked, and the plan changes now or with the next period', () => {
  const unbooked = {
    lines: [],
    invoice: null,
    credit: '2',
    period: { start, end },
    charged: changing.charged,
    returned: '0',
    withheld: {},
    funding: null,
  }
  for (const [interval, anchor] of [
    ['month', null],
    ['year', end],
  ] as const) {
    const next = change(plan('30', interval), 'next_period', { credit: '2' })
    assert.deepEqual(next, { ...unbooked, anchor, effectiveAt: end })
    const now = { ...unbooked, anchor, effectiveAt: middle }
    assert.deepEqual(change(plan('30', interval), 'none', { credit: '2' }), now)
    for (const status of ['trialing', 'paused'] as const)
      assert.deepEqual(change(plan('30', interval), 'prorate', { credit: '2', status }), now)
  }
  assert.ok(change(plan('30'), 'prorate', { status: 'past_due' }).invoice !== null)
})

test('two rhythms are the same where interval and count are', () => {
  const monthly = { interval: 'month', interval_count: 1 } as const
  assert.ok(isSameRhythm(monthly, { ...monthly }))
  assert.ok(!isSameRhythm(monthly, { ...monthly, interval_count: 3 }))
  assert.ok(!isSameRhythm(monthly, { ...monthly, interval: 'year' }))
  assert.deepEqual(plan('10').rhythm, monthly)
  assert.equal(plan('10').amount, '10.00')
})

const line = (amount: string) => amountLine('unused', { name: 'Line', amount, currency: 'USD' })

test('an invoice is never below zero: credit pays it, and what is not used is carried over', () => {
  const composed = (amounts: string[], credit: string) => {
    const { lines, subtotal, total, creditLeft } = composeInvoice(amounts.map(line), credit, 'USD')
    const settling = lines.slice(amounts.length).map((each) => `${each.product_name} ${each.line_total} ${each.kind}`)
    return [subtotal, total, creditLeft, ...settling].join('; ')
  }
  assert.equal(composed(['10', '5.5'], '0'), '15.50; 15.50; 0.00')
  assert.equal(composed(['10'], '4'), '10.00; 6.00; 0.00; Credit -4.00 credit')
  assert.equal(composed(['10'], '14'), '10.00; 0.00; 4.00; Credit -10.00 credit')
  assert.equal(composed(['10', '-15'], '2'), '0.00; 0.00; 7.00; Credit for the next invoice 5.00 credit')
  assert.equal(composed(['0'], '0'), '0.00; 0.00; 0.00')
})

test('the lines of an invoice add up to its total', () => {
  for (const [amounts, credit] of [
    [['10', '-15'], '2'],
    [['10', '20'], '50'],
    [['10'], '3'],
  ] as const) {
    const { lines, total } = composeInvoice(amounts.map(line), credit, 'USD')
    const cents = lines.reduce((sum, { line_total: each }) => sum + Math.round(Number(each) * 100), 0)
    assert.equal(cents, Math.round(Number(total) * 100))
  }
})

test('a line shows its time where it has one, and pages can tell the plan of a part of a period', () => {
  assert.deepEqual([line('1').period_start, line('1').period_end, line('1').minimum_amount], [null, null, null])
  assert.equal(line('1').unit_amount, '1.00')
  const [item] = plan('10').lineItems
  assert.ok(item)
  assert.deepEqual(planLine(item, { start, end }), {
    ...item,
    kind: 'plan',
    period_start: '2027-04-01T00:00:00.000Z',
    period_end: '2027-05-01T00:00:00.000Z',
  })
  assert.equal(planOfPart({ kind: 'unused', product_name: 'Unused time of Gold' }), 'Gold')
  assert.equal(planOfPart({ kind: 'remaining', product_name: 'Remaining time of Gold' }), 'Gold')
  assert.equal(planOfPart({ kind: 'remaining', product_name: 'Unused time of Gold' }), null)
  for (const kind of ['plan', 'credit'] as const)
    assert.equal(planOfPart({ kind, product_name: 'Unused time of Gold' }), null)
})

test('invoices are numbered with six digits, and more once there are more', () => {
  assert.deepEqual([1, 999_999, 1_000_000].map(invoiceNumber), ['INV-000001', 'INV-999999', 'INV-1000000'])
})

test('an invoice may be paid while it is open or uncollectible; after the end only where late money is kept', () => {
  const payable = (subscription: 'active' | 'canceled', policy: 'accept' | 'refund') =>
    invoiceStatuses.filter((status) => mayBePaid({ status }, { status: subscription }, policy))
  assert.deepEqual(payable('active', 'refund'), ['open', 'uncollectible'])
  assert.deepEqual(payable('canceled', 'accept'), ['open', 'uncollectible'])
  assert.deepEqual(payable('canceled', 'refund'), [])
})

test('nobody overwrites or removes the checkout of a subscription', () => {
  const known = { colour: 'red', checkout_id: 'chk_1' }
  assert.deepEqual(mergeSubscriptionMetadata(known, { checkout_id: 'chk_2', size: 'L' }, 'chk_1'), {
    ...known,
    size: 'L',
  })
  assert.deepEqual(mergeSubscriptionMetadata(known, { checkout_id: '', colour: '' }, 'chk_1'), { checkout_id: 'chk_1' })
  assert.deepEqual(mergeSubscriptionMetadata(known, '', 'chk_1'), { checkout_id: 'chk_1' })
})

const standing: SubscriptionTimes = {
  status: 'active',
  collection: 'automatic',
  remindsAt: null,
  resumesAt: null,
  cancelAtPeriodEnd: false,
  pauseAtPeriodEnd: false,
  nextPaymentAttemptAt: null,
  dunningEndsAt: null,
  currentPeriodStart: new Date(start),
  currentPeriodEnd: new Date(end),
  invoicedUntil: new Date(end),
}
const next = (more: Partial<SubscriptionTimes> = {}, spreadMs = 500) => {
  const step = nextStepOf({ ...standing, ...more }, spreadMs)
  return step && `${step.step} ${step.at - end}`
}
const after = (ms: number) => new Date(end + ms)

test('a subscription renews at the end of its period, a little spread; an end or a pause is exact', () => {
  assert.equal(next(), 'period_end 500')
  assert.equal(next({ cancelAtPeriodEnd: true }), 'period_end 0')
  assert.equal(next({ pauseAtPeriodEnd: true }), 'period_end 0')
  assert.equal(next({ status: 'canceled' }), null)
})

test('the end of a trial is announced three days ahead, once', () => {
  assert.equal(reminderAheadMs, 3 * day)
  assert.equal(next({ status: 'trialing', remindsAt: after(-3 * day) }), `trial_reminder ${-3 * day}`)
  assert.equal(next({ status: 'trialing' }), 'period_end 500')
  assert.equal(next({ status: 'active', remindsAt: after(-3 * day) }), 'period_end 500')
})

test('a past due one is charged again at its time, or ends; of two at one moment the end comes first', () => {
  const due = { status: 'past_due', nextPaymentAttemptAt: after(-5) } as const
  assert.equal(next(due), 'payment_attempt -5')
  assert.equal(next({ ...due, dunningEndsAt: after(-5) }), 'dunning_end -5')
  assert.equal(next({ ...due, nextPaymentAttemptAt: after(500) }), 'period_end 500')
  assert.equal(next({ status: 'past_due' }), 'period_end 500')
  assert.equal(next({ ...due, status: 'active', dunningEndsAt: after(-9) }), 'period_end 500')
})

test('a paused one waits for its resumption, or for somebody', () => {
  assert.equal(next({ status: 'paused', resumesAt: after(7) }), 'resumption 7')
  assert.equal(next({ status: 'paused' }), null)
  assert.equal(next({ resumesAt: after(-7) }), 'period_end 500')
})

test('an invoice that a customer pays is opened three days ahead, but not on the first day, or half day', () => {
  assert.equal(openedAheadMs, 3 * day)
  const invoiced = { collection: 'invoice' } as const
  assert.equal(next(invoiced), `invoice_opening ${-3 * day}`)
  const nextOf = (days: number) => next({ ...invoiced, currentPeriodStart: after(-days * day) })
  for (const days of [1, 1.5, 2]) assert.equal(nextOf(days), `invoice_opening ${(-days * day) / 2}`)
  for (const days of [2.5, 3, 3.5]) assert.equal(nextOf(days), `invoice_opening ${(1 - days) * day}`)
  for (const days of [4, 7]) assert.equal(nextOf(days), `invoice_opening ${-3 * day}`)
  assert.equal(next({ ...invoiced, invoicedUntil: after(1) }), 'period_end 500')
  assert.equal(next({ ...invoiced, cancelAtPeriodEnd: true }), 'period_end 0')
  assert.equal(next({ ...invoiced, status: 'paused' }), null)
})

test('renewals are spread evenly over a minute, each subscription always at its own second', () => {
  const ids = Array.from({ length: 6_000 }, () => newId('sub', start))
  const counts = new Map<number, number>()
  for (const id of ids) {
    const spread = spreadOf(id)
    assert.ok(Number.isInteger(spread) && spread >= 0 && spread < 60_000)
    assert.equal(spreadOf(id), spread)
    counts.set(Math.floor(spread / 6_000), (counts.get(Math.floor(spread / 6_000)) ?? 0) + 1)
  }
  const tenths = [...counts.values()]
  assert.equal(tenths.length, 10)
  for (const count of tenths) assert.ok(count > 300 && count < 900, `${count} of 6,000 in a tenth of the minute`)
})

test('a session of the portal allows what its flow is for, on its own subscription', () => {
  const flow = (type: Flow['type'], subscription_id: string | null = null): Flow => ({
    type,
    subscription_id,
    product_group_id: null,
  })
  const actions = ['cards', 'cancel', 'plan', 'payment', 'details'] as const
  const allowed = flowTypes.map((type) => actions.filter((action) => allowsAction(flow(type), action, 'sub_1')))
  assert.deepEqual(allowed, [['cards', 'payment'], ['cancel'], ['plan']])
  for (const action of actions) assert.ok(allowsAction(null, action, 'sub_1'))
  const own = flow('subscription_cancel', 'sub_1')
  assert.deepEqual(
    ['sub_1', 'sub_2', null].map((id) => allowsAction(own, 'cancel', id)),
    [true, false, true],
  )
})

test('whom a subscription waits for, by what it does next', () => {
  assert.equal(waitingOnOf('canceled', 'period_end'), 'nobody')
  assert.deepEqual(
    (['payment_attempt', 'dunning_end'] as const).map((step) => waitingOnOf('past_due', step)),
    ['buyer', 'buyer'],
  )
  assert.deepEqual(
    [null, 'resumption' as const].map((step) => waitingOnOf('paused', step)),
    ['merchant', 'merchant'],
  )
  assert.equal(waitingOnOf('active', 'period_end'), 'next period')
})

test('operators read of a subscription what it costs and how often', () => {
  const row = {
    accountId: 'acct_1',
    environment: 'live',
    status: 'active',
    amount: '5',
    currency: 'USD',
    interval: 'month',
    intervalCount: 1,
    corridor: null,
    wakesFor: 'period_end',
  } as const
  assert.deepEqual(aboutSubscription(row), {
    accountId: 'acct_1',
    environment: 'live',
    status: 'active',
    waitingOn: 'next period',
    provider: 'stripe',
    summary: '5.00 USD each month',
  })
  assert.equal(aboutSubscription({ ...row, intervalCount: 3 }).summary, '5.00 USD every 3 months')
  const changes = ['edit', 'cancel', 'uncancel', 'pause', 'resume', 'changePlan', 'retryPayment', 'voidInvoice']
  assert.deepEqual(subscriptionChanges, changes)
  assert.deepEqual(Object.keys(subscriptionProcess.updates), [...changes, 'retry', 'markSettled', 'markFailed'])
})
