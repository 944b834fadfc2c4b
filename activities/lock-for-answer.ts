import { lockDisputed } from '../commands/dispute/open-dispute.ts'
import type { Payment } from '../db/checkout/payment.ts'
import type { EntityManager } from '../db/core/database.ts'
import type { RailAnswer } from '../rails/rail.ts'

/** Locks a payment to which its rail's answer is applied next. The disputes that the answer names are locked first. */
export const lockForAnswer = (em: EntityManager, paymentId: string, answer: RailAnswer): Promise<Payment> =>
  lockDisputed(em, paymentId, 'disputes' in answer ? answer.disputes : [])
