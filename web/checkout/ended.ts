import { isZero } from '../../domain/money.ts'
import type { Language } from '../language.ts'
import type { Session } from './screen.ts'

/**
 * The page of a session that takes no money: its title, whether its invoice takes none either, and what has become of
 * the money that came for it. `missing` is the amount that is left of a short payment, or null.
 */
export function endOf(session: Session, missing: string | null, language: Language) {
  const { status, amount_received: received, invoice_can_be_paid: canPayInvoice } = session
  const isInvoiceOver = canPayInvoice === false
  // Where money has come for a session that has ended, the title is about the session.
  const isOfInvoice = isInvoiceOver && (status === 'open' || isZero(received ?? '0'))
  const title = status === 'expired' ? 'ended.expired' : 'ended.cancelled'
  const endedTitle = language.say(isOfInvoice ? 'ended.invoice' : title)
  return { isInvoiceOver, endedTitle, ...outcomeOf(session, missing, language) }
}

/** What the buyer whose money has come is told of it, and the words before the reference of their payment. */
function outcomeOf(session: Session, missing: string | null, { say, money }: Language) {
  const { refund_progress: refund, partial, currency, merchant_name: merchant } = session
  const isAccepted = partial && missing !== null
  const refunded = say(refund === 'pending' ? 'ended.refund.pending' : 'ended.refund.succeeded')
  const outcome = [
    ...(missing !== null && !partial ? [say('ended.missing', { missing: money(missing, currency) })] : []),
    ...(refund !== 'none' ? [refunded] : isAccepted ? [say('ended.accepted', { merchant })] : []),
  ].join(' ')
  const isSettled = refund !== 'none' || isAccepted
  return { outcome, beforeReference: isSettled ? say('ended.reference') : say('ended.ask', { merchant }) }
}
