import Big from 'big.js'
import type { ChangeRequest } from '../../domain/subscription/change.ts'
import { prorations } from '../../domain/subscription/plan-change.ts'
import { randomly } from './story.ts'
import { lifeCards, type livesOf } from './subscription-life.ts'
import { cards } from './merchant.ts'

const dayMs = 86_400_000
const start = Date.parse('2027-01-28T09:30:00Z')

type Lives = ReturnType<typeof livesOf>
type Recurring = { interval: 'day' | 'week' | 'month' | 'year'; interval_count: number; trial_days: number }
type Sold = { id: string; amount: string; recurring: Recurring }

const rhythm = (interval: Recurring['interval'], interval_count = 1, trial_days = 0): Recurring => ({
  interval,
  interval_count,
  trial_days,
})

/** The plans of all lives. */
export async function createPlans({ plans }: Lives): Promise<Sold[]> {
  const wanted: [string, Recurring][] = [
    ['10.00', rhythm('month')],
    ['25.00', rhythm('month')],
    ['33.33', rhythm('month')],
    ['7.00', rhythm('week')],
    ['250.00', rhythm('year')],
    ['60.00', rhythm('month', 3)],
    ['25.00', rhythm('month', 1, 14)],
    ['9.99', rhythm('week', 2, 2)],
    ['0', rhythm('month')],
  ]
  const made: Sold[] = []
  for (const [amount, recurring] of wanted) {
    const isFree = amount === '0'
    const price = isFree ? { price_type: 'free' } : { price_type: 'fixed', amount }
    const { product_id: id } = await plans.createProduct({ amount: undefined, ...price, recurring })
    made.push({ id, amount: isFree ? '0.00' : amount, recurring })
  }
  return made
}

/**
 * One life of a subscription from a seed: it is begun, changed, paused, not paid, resumed and canceled in any order,
 * for about a year. Returns what was done, one line each.
 */
export async function liveRandomly(lives: Lives, sold: Sold[], seed: number): Promise<string[]> {
  const pick = randomly(seed)
  const one = <T>(of: readonly T[]): T => of[pick(of.length)] as T
  let now = start + pick(400) * dayMs + pick(dayMs)
  const paid = sold.filter(({ amount }) => amount !== '0.00')
  const id = await lives.begin(one(paid).id, one(lifeCards), now)
  const { customer } = await lives.plans.read(id)
  const log = [`seed ${seed}: ${id}`]
  const note = (what: string) => void log.push(`${new Date(now).toISOString()} ${what}`)

  const newCard = async () => ({
    payment_method_id: await lives.saveCard(customer.id, one([cards.success, ...lifeCards]), now),
  })
  const newPlan = (): ChangeRequest => {
    const { id: product_id, amount, recurring } = one(sold)
    const [quantity, unit] = [1 + pick(3), amount]
    const line = {
      product_id,
      product_name: `Plan of ${amount}`,
      currency: 'USD' as const,
      price_type: 'fixed' as const,
      minimum_amount: null,
      maximum_amount: null,
      quantity,
      unit_amount: unit,
      line_total: new Big(unit).times(quantity).toFixed(2),
    }
    const { interval, interval_count } = recurring
    return { kind: 'changePlan', line_items: [line], interval, interval_count, proration: one(prorations) }
  }
  const change = async (): Promise<ChangeRequest> => {
    const makers: (() => ChangeRequest | Promise<ChangeRequest>)[] = [
      () => ({ kind: 'cancel', at_period_end: pick(12) > 0, reason: 'too_expensive', comment: null }),
      () => ({ kind: 'uncancel' }),
      () => ({ kind: 'uncancel' }),
      () => {
        const resumesAt = pick(2) === 0 ? null : new Date(now + (1 + pick(90)) * dayMs).toISOString()
        return { kind: 'pause', at_period_end: pick(2) === 0, resumes_at: resumesAt }
      },
      () => ({ kind: 'resume' }),
      () => ({ kind: 'resume' }),
      newPlan,
      newPlan,
      newPlan,
      async () => ({ kind: 'edit', ...(await newCard()) }),
      async () => ({ kind: 'edit', ...(await newCard()) }),
      () => ({ kind: 'edit', trial_end: pick(2) === 0 ? 'now' : new Date(now + (1 + pick(20)) * dayMs).toISOString() }),
      () => ({ kind: 'edit', metadata: { seat: String(pick(9)) } }),
      () => ({ kind: 'retryPayment' }),
      async () => ({ kind: 'voidInvoice', invoice_id: one(await lives.invoicesOf(id))?.id ?? 'inv_none' }),
    ]
    return one(makers)()
  }

  const days = [0, 0, 0.4, 1, 3, 7, 15, 31, 62]
  for (let step = 0; step < 25; step++) {
    const to = now + Math.floor(one(days) * dayMs)
    await lives.advance(id, now, to)
    now = to
    const { paymentId } = await lives.settle(id, now)
    if (paymentId && pick(2) === 0) {
      const succeeds = pick(2) === 0
      await lives.decide(paymentId, succeeds)
      await lives.steps.lookUpSubscriptionPayment(id, paymentId, now)
      await lives.settle(id, now)
      note(`a late charge ${succeeds ? 'succeeds' : 'fails'}`)
    }
    const what = await change()
    const result = await lives.ask(id, what, now, pick(5) === 0)
    note(`${JSON.stringify(what)}: ${result}`)
  }
  // What the network still works on is decided, so that the life is settled.
  for (let { paymentId } = await lives.settle(id, now); paymentId; { paymentId } = await lives.settle(id, now)) {
    await lives.decide(paymentId, true)
    await lives.steps.lookUpSubscriptionPayment(id, paymentId, now)
  }
  return log
}
