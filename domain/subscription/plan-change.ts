import { add, type Amount, isLess, isZero, negate, subtract } from '../money.ts'
import { amountLine, type Composed, composeInvoice, type InvoiceLine, namesOf, partNames, planLine } from './invoice.ts'
import { isPeriodOf, type Period, periodAt } from './period.ts'
import { chargeLeft, type Charged, type PaidBack, type Prorated, prorate, unusedOf } from './proration.ts'
import { divideFunding, type Divided } from './funding.ts'
import { type PaidPart, withheldFor, type Withheld } from './returns.ts'
import { isSameRhythm, type Plan, type SubscriptionStatus } from './subscription.ts'

/**
 * How the time that is left of a period is treated. `prorate`: the old plan is given back and the new one charged to
 * the second; `none`: nothing is booked, and the next period costs the new price; `next_period`: the plan changes only
 * then.
 */
export const prorations = ['prorate', 'next_period', 'none'] as const
export type Proration = (typeof prorations)[number]

/** The entry code of a refusal: the next period is invoiced already, so the plan is changed once that has begun. */
export const nextPeriodInvoiced = 'next_period_invoiced'
/** The entry code of a refusal: the period would end after a pause that is planned for its end is over. */
export const pausePlanned = 'pause_planned'

/** The part of a subscription that a change of its plan depends on; times in milliseconds since the epoch. */
export type Changing = {
  status: SubscriptionStatus
  plan: Plan
  period: Period
  /** From when the boundaries of periods are counted: the end of this one, where `none` has changed its rhythm. */
  anchor: number
  charged: Charged
  /** What payments have paid of that, as far as it is known. */
  paid: readonly PaidPart[]
  /** What refunds and disputes have returned of the payments for that time: it is not given back once more. */
  returned: readonly PaidBack[]
  credit: Amount
}

/** What a change of plan books and leaves: the one calculation for its preview and for the change itself. */
export type Changed = {
  /** What is booked, as lines of an invoice or as credit. */
  lines: InvoiceLine[]
  /** The invoice that is opened at once; null where nothing is to be paid now. */
  invoice: Composed | null
  /** The credit of the subscription after the change. */
  credit: Amount
  /** The period that runs then: a change of the rhythm begins a new one. */
  period: Period
  charged: Charged
  /** What refunds and disputes have returned of the charge of this period, whenever it is changed. */
  returned: Amount
  /** How much less it gives back because of refunds and disputes. */
  withheld: Withheld
  /** Which payments have paid the new charge, and what is added to the credit; null: nothing changes. */
  funding: Divided | null
  /** From when the boundaries of periods are counted; null: as before. */
  anchor: number | null
  /** From when the new plan applies. */
  effectiveAt: number
}

/** Works out a change of plan at a moment, in milliseconds since the epoch. */
export function changePlan(changing: Changing, plan: Plan, proration: Proration, at: number): Changed {
  const { period, charged, credit, status } = changing
  const isRhythmNew = !isSameRhythm(changing.plan.rhythm, plan.rhythm)
  const anchor = isRhythmNew ? period.end : null
  const unbooked = {
    lines: [],
    invoice: null,
    credit,
    period,
    charged,
    anchor,
    returned: '0',
    withheld: {},
    funding: null,
  }
  if (proration === 'next_period') return { ...unbooked, effectiveAt: period.end }
  // Nothing was charged for a trial or a pause, so nothing is given back.
  if (proration === 'none' || status === 'trialing' || status === 'paused') return { ...unbooked, effectiveAt: at }
  return isRhythmNew || !isPeriodOfPlan(changing) ? beginAnew(changing, plan, at) : adjust(changing, plan, at)
}

/**
 * Whether the plan's price is that of the period that runs, outside a trial. `none` may have changed the rhythm since
 * it began, to one that is longer or shorter: a part of the new price is then no price for a part of this period.
 */
const isPeriodOfPlan = ({ period, anchor, plan }: Changing): boolean =>
  anchor < period.end || isPeriodOf(period, plan.rhythm)

/** A period of the same rhythm: the rest of the period is exchanged. */
function adjust(changing: Changing, plan: Plan, at: number): Changed {
  const { period, charged, returned, credit, plan: old } = changing
  const { currency, amount: price } = plan
  const rest = { start: at, end: period.end }
  const kept = chargeLeft(charged, period.end, returned)
  const prorated = prorate({ period, charged: kept, at, price, currency })
  const { credit: unused, charge, total, paid } = prorated
  const lines = [unusedLine(old, unused, rest), remainingLine(plan, charge, rest)].filter((line) => line !== null)
  const isCharged = isLess('0', total)
  const composed = composeInvoice(lines, credit, currency)
  return {
    lines,
    invoice: isCharged ? composed : null,
    credit: composed.creditLeft,
    period,
    charged: { amount: paid, start: at },
    returned: subtract(charged.amount, kept.amount),
    withheld: withheldFor({ period, charged, at, price, currency }, returned),
    funding: fundingOf(changing, prorated, lines, at),
    anchor: null,
    effectiveAt: at,
  }
}

/** Another rhythm: the period ends now, and one of the new rhythm begins. */
function beginAnew(changing: Changing, plan: Plan, at: number): Changed {
  const { period, charged, returned, credit, plan: old } = changing
  const { currency, amount, lineItems, rhythm } = plan
  const fresh = periodAt(at, rhythm, 0)
  const kept = chargeLeft(charged, period.end, returned)
  const prorated = prorate({ period, charged: kept, at, price: '0', currency })
  const { credit: unused, paid } = prorated
  const given = unusedLine(old, unused, { start: at, end: period.end })
  const lines = [...(given ? [given] : []), ...lineItems.map((item) => planLine(item, fresh))]
  const composed = composeInvoice(lines, credit, currency)
  return {
    lines,
    invoice: composed,
    credit: composed.creditLeft,
    period: fresh,
    // What was too small to be given back is paid for the new period.
    charged: { amount: add(amount, paid), start: at },
    returned: subtract(charged.amount, kept.amount),
    withheld: withheldFor({ period, charged, at, price: '0', currency }, returned),
    funding: fundingOf(changing, prorated, lines, at),
    anchor: at,
    effectiveAt: at,
  }
}

/** Which payments have paid the new charge and the credit. Lines that give back more than they charge leave credit. */
function fundingOf(changing: Changing, prorated: Prorated, lines: readonly InvoiceLine[], at: number) {
  const { charged, period, paid, returned } = changing
  const sum = lines.reduce((total, { line_total }) => add(total, line_total), '0')
  const given = isLess(sum, '0') ? negate(sum) : '0'
  return divideFunding({ charged, end: period.end, at }, { paid, returned }, { unused: unusedOf(prorated), given })
}

const unusedLine = (plan: Plan, amount: Amount, rest: Period): InvoiceLine | null =>
  isZero(amount)
    ? null
    : amountLine('unused', { name: partNames.unused + namesOf(plan.lineItems), amount, currency: plan.currency }, rest)

const remainingLine = (plan: Plan, amount: Amount, rest: Period): InvoiceLine | null =>
  isZero(amount)
    ? null
    : amountLine(
        'remaining',
        { name: partNames.remaining + namesOf(plan.lineItems), amount, currency: plan.currency },
        rest,
      )

/** What a change pays now: the total of its invoice, or nothing. */
export const dueNow = ({ invoice }: Changed): Amount => invoice?.total ?? '0'
