import { LockMode } from '@mikro-orm/core'
import { type EntityManager, goByClock } from '../../db/core/database.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import type { TestClock } from '../../db/core/test-clock.ts'
import type { Wait } from '../../db/sight/agenda.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { paymentProcessOf } from '../../domain/checkout/payment-process.ts'
import { type WaitingProcess, waitingProcesses } from '../../domain/sight/agenda.ts'
import { Refusal } from '../../domain/refusal.ts'
import { describeProcesses } from '../open-rows.ts'
import { touchSubscription } from '../subscription/touch.ts'

/** The processes that wait: those of the resources, and of a payment the one that works for it. */
async function processesOf(em: EntityManager, waits: readonly Wait[]): Promise<Map<WaitingProcess, Set<string>>> {
  const paymentIds = waits.filter(({ resource }) => resource === 'payment').map(({ id }) => id)
  const payments =
    paymentIds.length === 0
      ? []
      : await em.execute<{ id: string; checkoutId: string | null; subscriptionId: string | null }[]>(
          'select id, checkout_id as "checkoutId", subscription_id as "subscriptionId" from payments where id in (?)',
          [paymentIds],
        )
  const ofPayment = new Map(payments.map((payment) => [payment.id, paymentProcessOf(payment)]))
  const found = new Map<WaitingProcess, Set<string>>()
  for (const { resource, id } of waits) {
    const [process, resourceId] = ofPayment.get(id) ?? [waitingProcesses[resource], id]
    found.set(process, (found.get(process) ?? new Set()).add(resourceId))
  }
  return found
}

/** Tells the processes of waiting members the clock's time, by way of the outbox; null: they go by the real time. */
export async function tellMembers(
  em: EntityManager,
  clockId: string,
  waits: readonly Wait[],
  time: number | null,
): Promise<void> {
  if (time !== null) goByClock(em, { id: clockId, time })
  for (const [process, ids] of await processesOf(em, waits)) {
    const begun = process === 'webhook-delivery' ? await withoutFirstAttempt(em, ids) : ids
    for (const { resourceId, about } of await describeProcesses(em, process, [...begun]))
      signalProcess(em, process, resourceId, about, 'clockMoved', time)
  }
}

/**
 * Leaves out deliveries whose first attempt the relay is about to make: a process that began now would make it too. If
 * there is anything to wait for after it, the process reads the clock's time in its row.
 */
async function withoutFirstAttempt(em: EntityManager, ids: ReadonlySet<string>): Promise<Set<string>> {
  const rows = await em.execute<{ id: string }[]>(
    `select resource_id as id from outbox where process = 'webhook-delivery' and signal is null
       and not anew and resource_id in (?)`,
    [[...ids]],
  )
  return ids.difference(new Set(rows.map(({ id }) => id)))
}

/** What is attached, and the table that has it. */
const members = {
  account_id: 'accounts',
  customer_id: 'customers',
  checkout_id: 'checkouts',
  payment_id: 'payments',
  refund_id: 'refunds',
  payout_id: 'payouts',
  destination_id: 'payout_destinations',
  endpoint_id: 'webhook_endpoints',
  delivery_id: 'deliveries',
  subscription_id: 'subscriptions',
  invoice_id: 'invoices',
  dispute_id: 'disputes',
} as const
export type MemberKey = keyof typeof members
export const memberKeys = Object.keys(members) as MemberKey[]

/** The tables whose rows belong to an account. */
const ofAccount = `customers checkouts payments card_setups refunds conversions payouts payout_destinations
  payout_schedules account_profiles webhook_endpoints deliveries subscriptions invoices subscription_mails
  disputes`.split(/\s+/)

/** Under an "or" an index is read for an array. With the rows of a "select" in its place, all rows would be read. */
const among = (ids: string) => `= any(array(${ids}))`

/** The payments by which `ids`, subscriptions, were renewed. Their index has no payments without a subscription. */
const renewals = (ids: string) =>
  `(checkout_id is null and subscription_id is not null and subscription_id ${among(ids)})`

/** The open sessions in which somebody pays an invoice of `ids`, subscriptions. */
const paying = (ids: string) =>
  `select id from checkouts where status = 'open'
     and invoice_id ${among(`select id from invoices where subscription_id in (${ids})`)}`

/** What belongs to the subscriptions that `ids` selects: it goes by the clock of its subscription. */
const ofSubscriptions = (ids: string) => ({
  invoices: `subscription_id in (${ids})`,
  checkouts: `id ${among(paying(ids))}`,
  payments: `${renewals(ids)} or checkout_id ${among(paying(ids))}`,
  disputes: `payment_id in (select id from payments where ${renewals(ids)})`,
  subscription_mails: `subscription_id in (${ids}) and sent_at is null`,
})
const begun = 'select id from subscriptions where customer_id = ?'
const invoiced = 'select subscription_id from invoices where id = ?'
const renewed = 'select subscription_id from payments where id = ? and checkout_id is null'
const opened = "select id from checkouts where customer_id = ? and status = 'open'"

/** What joins with a member, by table; each `?` is the member's id. */
const brings: Partial<Record<MemberKey, Record<string, string>>> = {
  customer_id: {
    ...ofSubscriptions(begun),
    subscriptions: 'customer_id = ?',
    checkouts: "customer_id = ? and status = 'open'",
    payments: `checkout_id ${among(opened)} or ${renewals(begun)}`,
    card_setups: `checkout_id ${among(opened)}`,
    disputes: 'customer_id = ?',
  },
  subscription_id: ofSubscriptions('select ?::text'),
  invoice_id: { ...ofSubscriptions(invoiced), subscriptions: `id in (${invoiced})` },
  checkout_id: {
    payments: 'checkout_id = ?',
    card_setups: 'checkout_id = ?',
    disputes: 'payment_id in (select id from payments where checkout_id = ?)',
  },
  payment_id: {
    ...ofSubscriptions(renewed),
    subscriptions: `id in (${renewed})`,
    checkouts: `id = (select checkout_id from payments where id = ?) or id ${among(paying(renewed))}`,
    payments: `checkout_id = (select checkout_id from payments where id = ?) or ${ofSubscriptions(renewed).payments}`,
    disputes: `payment_id = ? or payment_id ${among(`select id from payments where ${renewals(renewed)}`)}`,
  },
  endpoint_id: { deliveries: "endpoint_id = ? and status = 'pending'" },
  account_id: Object.fromEntries(ofAccount.map((table) => [table, "account_id = ? and environment = 'sandbox'"])),
}

/**
 * Attaches a resource of the clock's owner to it, with what belongs to that resource. Refuses with `NOT_FOUND` what the
 * owner does not have, and with `CONFLICT` what is on another clock. Its process is signalled once something of it is
 * due.
 */
export async function attach(em: EntityManager, clock: TestClock, key: MemberKey, id: string): Promise<void> {
  const table = members[key]
  const own =
    key === 'account_id'
      ? `id = ? and ? in (id, owner_id) and environment is distinct from 'live'`
      : `id = ? and account_id = ? and environment = 'sandbox'`
  const [row] = await em.execute<{ clock_id: string | null }[]>(
    `select clock_id from ${table} where ${own} for no key update`,
    [id, clock.accountId],
  )
  if (!row) throw new Refusal('NOT_FOUND', `no such ${key}: ${id}`)
  if (row.clock_id !== null && row.clock_id !== clock.id) throw new Refusal('CONFLICT', `${id} is on another clock`)
  await em.execute(`update ${table} set clock_id = ? where id = ?`, [clock.id, id])
  for (const [more, where] of Object.entries(brings[key] ?? {})) {
    const ids = where
      .split('?')
      .slice(1)
      .map(() => id)
    await em.execute(`update ${more} set clock_id = ? where clock_id is null and (${where})`, [clock.id, ...ids])
  }
}

/** Has the subscriptions on a clock do what is due at its exact moment: elsewhere renewals are spread over a minute. */
export async function timeSubscriptions(em: EntityManager, { id, frozenTime }: TestClock): Promise<void> {
  const lockMode = LockMode.PESSIMISTIC_WRITE
  const waiting = await em.find(Subscription, { clockId: id, wakesAt: { $ne: null } }, { lockMode, orderBy: { id: 1 } })
  for (const subscription of waiting) touchSubscription(subscription, frozenTime.getTime())
}

/** Lets every member of a clock go by the real time again. */
export async function releaseMembers(em: EntityManager, clockId: string): Promise<void> {
  for (const table of ['accounts', ...ofAccount])
    await em.execute(`update ${table} set clock_id = null where clock_id = ?`, [clockId])
}
