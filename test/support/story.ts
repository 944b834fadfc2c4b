import assert from 'node:assert/strict'
import { card, cards, type Merchant, transferSale } from './merchant.ts'

/** A sale on which people may act in any way at any time. */
export type Story = Awaited<ReturnType<Merchant['createCheckout']>> & { payments: string[] }

export type Pick = (below: number) => number

/** A small seeded generator (mulberry32) of whole numbers below a bound: the same seed makes the same story. */
export function randomly(seed: number): Pick {
  let a = seed >>> 0
  return (below) => {
    a = (a + 0x6d2b79f5) >>> 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
}

export async function beginStory(merchant: Merchant, expiresInMinutes: number): Promise<Story> {
  const session = await merchant.createCheckout({ ...transferSale, expires_in_minutes: expiresInMinutes })
  return { ...session, payments: [] }
}

/** One random action of a buyer, the bank or the merchant. It may be refused, but must not be answered with 5xx. */
export async function act(merchant: Merchant, story: Story, pick: Pick): Promise<void> {
  const numbers = Object.values(cards)
  const byCard = { payment_method: 'NGN_CARD', card: card(numbers[pick(numbers.length)] ?? ''), confirm: pick(2) === 1 }
  const somePayment = story.payments[pick(story.payments.length)] ?? 'pay_none'
  const actions = {
    pay: () => merchant.pay(story, byCard),
    transfer: () => merchant.pay(story, { payment_method: 'NGN_BANK_TRANSFER' }),
    confirm: () => merchant.confirm(story),
    code: () => merchant.confirm(story, { code: pick(2) === 1 ? '123456' : '111111' }),
    deposit: () => merchant.deposit(somePayment, pick(2) === 1 ? {} : { amount: '1200.00' }),
    cancel: () => merchant.cancel(story.checkout_id),
  }
  const weighted = ['pay', 'pay', 'transfer', 'transfer', 'confirm', 'code', 'deposit', 'deposit', 'deposit'] as const
  const chosen = pick(12) === 0 ? 'cancel' : (weighted[pick(weighted.length)] ?? 'pay')
  const reply = await actions[chosen]()
  assert.ok(reply.status < 500, `${chosen}: ${reply.status} ${reply.text}`)
  const paymentId = reply.body['payment_id']
  if (typeof paymentId === 'string' && !story.payments.includes(paymentId)) story.payments.push(paymentId)
}

/** Waits for all, so that nothing still runs when the first failure is thrown. */
export async function allOf(work: Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}
