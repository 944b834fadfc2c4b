import { LockMode } from '@mikro-orm/core'
import { Payment } from '../../db/checkout/payment.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import { Customer } from '../../db/customer/customer.ts'
import type { PostalAddress } from '../../domain/postal-address.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { disputableOf, disputeFeeOf, holdsMoney, type RaisedDispute, takenBy } from '../../domain/dispute/dispute.ts'
import type { Evidence } from '../../domain/dispute/evidence.ts'
import { aboutDispute } from '../../domain/dispute/process.ts'
import { newId } from '../../domain/id.ts'
import { add, type Amount, isLess, lesser, subtract } from '../../domain/money.ts'
import { presentDispute } from '../../schemas/dispute/dispute.ts'
import { holdDisputed, holdMore } from './hold.ts'
import { recordDispute, setNextStep } from './record-dispute.ts'

/**
 * Locks a charge. If its network has named disputes (`raised`), the charge's disputes are locked first: this is the
 * order wherever a dispute changes.
 */
export async function lockDisputed(
  em: EntityManager,
  paymentId: string,
  raised: readonly RaisedDispute[],
): Promise<Payment> {
  const inOrder = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const
  if (raised.length > 0) await em.find(Dispute, { paymentId }, inOrder)
  return lock(em, Payment, paymentId)
}

/**
 * Opens the disputes that a network has raised about a charge, each once, and starts their processes by way of the
 * outbox. The running transaction has locked the charge and its disputes. A dispute takes at most what refunds and
 * other disputes leave of the charge; where they leave nothing, none is opened. An open one takes more once they leave
 * more, because a refund has failed (decision 0043). The process of one that was prevented asks the network about it,
 * if that has raised it all the same.
 */
export async function openDisputes(
  em: EntityManager,
  charge: Payment,
  raised: readonly RaisedDispute[],
  at: number,
): Promise<void> {
  if (raised.length === 0) return
  const known = await em.find(Dispute, { paymentId: charge.id })
  for (const one of raised) {
    const dispute = known.find(({ networkId }) => networkId === one.id)
    const amount = takenBy(one.amount, charge)
    if (dispute?.status === 'prevented') {
      if (one.warnsUntil !== null) continue
      signalProcess(em, 'dispute', dispute.id, aboutDispute(dispute), 'networkAnswered')
      dispute.newsDueAt ??= new Date(at)
    } else if (dispute) {
      if (one.amount !== null) await takeMore(em, dispute, charge, one.amount, at)
    } else if (isLess('0', amount)) await openDispute(em, charge, { ...one, amount }, at)
  }
}

/** Raises the amount of an open dispute to what its network names, as far as the charge has it again. */
async function takeMore(em: EntityManager, dispute: Dispute, charge: Payment, named: Amount, at: number) {
  const { status, amount: before } = dispute
  const isWarning = status === 'early_warning'
  if (!isWarning && !holdsMoney(status)) return
  const left = disputableOf(charge)
  const amount = lesser(named, isWarning ? left : add(before, left))
  if (!isLess(before, amount)) return
  dispute.amount = amount
  if (!isWarning) await holdMore(em, dispute, charge, subtract(amount, before), at)
  await recordDispute(em, dispute, 'dispute.updated', at)
}

/** `raised.amount` is what the dispute takes. */
async function openDispute(
  em: EntityManager,
  charge: Payment,
  raised: RaisedDispute & { amount: Amount },
  at: number,
): Promise<void> {
  const { accountId, environment, clockId, currency, corridor, customerId, customerDetails } = charge
  const isWarning = raised.warnsUntil !== null
  const prefilled = await prefilledFrom(em, charge)
  const moment = new Date(at)
  const dispute = em.create(Dispute, {
    id: newId('dsp', at),
    accountId,
    environment,
    clockId: clockId ?? null,
    paymentId: charge.id,
    networkId: raised.id,
    corridor,
    customerId,
    customerDetails,
    currency,
    status: isWarning ? 'early_warning' : 'needs_response',
    amount: raised.amount,
    fee: isWarning ? '0' : disputeFeeOf(currency),
    reason: raised.reason,
    networkReasonCode: raised.networkReasonCode,
    prefilled,
    evidence: prefilled,
    evidenceDueAt: new Date(raised.dueAt),
    warnsUntil: raised.warnsUntil === null ? null : new Date(raised.warnsUntil),
    nextPollAt: raised.warnsUntil === null ? null : new Date(raised.warnsUntil),
    remindedAt: null,
    submittedAt: null,
    submittedBy: null,
    acceptedBy: null,
    railDue: null,
    newsDueAt: moment, // the network is asked at once, see below
    resolution: null,
    resolvedAt: null,
    wakesAt: null,
    wakesFor: null,
    createdAt: moment,
    updatedAt: moment,
  })
  setNextStep(dispute)
  if (!isWarning) await holdDisputed(em, dispute, charge, at)
  await recordEvent(em, dispute, { type: 'dispute.created', resourceId: dispute.id, data: presentDispute(dispute) }, at)
  // Starts the process, which asks the network at once: it may have decided before we heard of the dispute.
  signalProcess(em, 'dispute', dispute.id, aboutDispute(dispute), 'networkAnswered')
}

/** What the customer's record says, or else what the buyer has typed. */
async function prefilledFrom(em: EntityManager, { customerId, customerDetails }: Payment): Promise<Evidence> {
  const customer = customerId ? await em.findOne(Customer, { id: customerId }) : null
  const email = customer?.email ?? customerDetails?.email
  const name = customer?.name ?? customerDetails?.name
  const address = customer?.billingAddress ? inOneLine(customer.billingAddress) : null
  return {
    ...(email && { customer_email_address: email }),
    ...(name && { customer_name: name }),
    ...(address && { billing_address: address }),
  }
}

function inOneLine({ line1, line2, city, state, postal_code: code, country }: PostalAddress): string {
  const place = [city, code].filter(Boolean).join(' ')
  return [line1, line2, place, state, country].filter(Boolean).join(', ')
}
