import { CardSetup } from '../../db/checkout/card-setup.ts'
import { Checkout } from '../../db/checkout/checkout.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { actsAs, type EntityManager, lock } from '../../db/core/database.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import type { Environment } from '../../domain/access/scope.ts'
import { assertOpen, moveCheckoutPaymentStatus } from '../../domain/checkout/checkout.ts'
import { movePayment } from '../../domain/checkout/payment.ts'
import type { Corridor } from '../../domain/corridor.ts'
import { nextPollAt } from '../../domain/rail-polls.ts'
import { assertStillSold } from './choice.ts'
import { touch } from './session.ts'
import { takeUpCode } from './setup.ts'

type OpenedCode = {
  environment: Environment
  corridor: Corridor
  saves: boolean
  at: number
  buyerAsked: Payment['nextAction']
}

/**
 * Records that the buyer has entered a code, and returns the rail to send it to, and whether the code is for saving a
 * card; null where no attempt waits for a code.
 */
export async function openCode(
  em: EntityManager,
  id: string,
  subject: string,
  asked: number,
): Promise<OpenedCode | null> {
  const session = await lock(em, Checkout, id)
  const at = await timeOf(em, session, asked)
  // A step whose answer was lost is made again: its code may already have completed the session.
  const attempt = session.setup ? await lock(em, CardSetup, subject) : await lock(em, Payment, subject)
  if (attempt.status === 'succeeded') return null
  assertOpen(session)
  actsAs(em, 'buyer')
  const { environment } = session
  if (attempt instanceof CardSetup) {
    if (!takeUpCode(session, attempt, at)) return null
    touch(session, at)
    return { environment, corridor: attempt.corridor, saves: true, at, buyerAsked: null }
  }
  if (attempt.status !== 'requires_action' && attempt.status !== 'processing') return null
  if (session.paymentStatus !== 'processing') await assertStillSold(em, session)
  movePayment(attempt, 'processing')
  attempt.nextPollAt = new Date(nextPollAt(attempt.createdAt.getTime(), at))
  moveCheckoutPaymentStatus(session, 'processing')
  touch(session, at)
  return { environment, corridor: attempt.corridor, saves: false, at, buyerAsked: attempt.nextAction }
}
