import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { startProcess } from '../../db/core/start-process.ts'
import { type BillingAddress, Customer } from '../../db/customer.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { disputeFeeOf, type RaisedDispute, takenBy } from '../../domain/dispute/dispute.ts'
import type { Evidence } from '../../domain/dispute/evidence.ts'
import { nextDisputeStep } from '../../domain/dispute/next-step.ts'
import { aboutDispute } from '../../domain/dispute/process.ts'
import { newId } from '../../domain/id.ts'
import { isLess } from '../../domain/money.ts'
import { presentDispute } from '../../schemas/dispute/dispute.ts'
import { holdDisputed } from './hold.ts'

/**
 * Opens the disputes that a network has raised about a charge, each once, and starts their processes by way of the
 * outbox. The running transaction has locked the charge. A dispute takes at most what refunds and other disputes leave
 * of the charge; where they leave nothing, none is opened (decision 0043).
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
    if (known.some(({ networkId }) => networkId === one.id)) continue
    const amount = takenBy(one.amount, charge)
    if (isLess('0', amount)) await openDispute(em, charge, { ...one, amount }, at)
  }
}

/** `raised.amount` is what the dispute takes. */
async function openDispute(em: EntityManager, charge: Payment, raised: RaisedDispute, at: number): Promise<void> {
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
  startProcess(em, 'dispute', dispute.id, aboutDispute(dispute))
}

/** Computes what a changed dispute does next by itself. */
export function setNextStep(dispute: Dispute): void {
  const next = nextDisputeStep(dispute)
  dispute.wakesAt = next && next.at
  dispute.wakesFor = next && next.step
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

function inOneLine({ line1, line2, city, state, postal_code: code, country }: BillingAddress): string {
  const place = [city, code].filter(Boolean).join(' ')
  return [line1, line2, place, state, country].filter(Boolean).join(', ')
}
