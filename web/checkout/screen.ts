import type { Static } from 'typebox'
import { isZero } from '../../domain/money.ts'
import type { PublicCheckout } from '../../schemas/checkout/attempt.ts'

export type Session = Static<typeof PublicCheckout>

/**
 * What a page shows: the forms `choose`, `confirm` and `code`, and the states a buyer waits in or ends at. `closed`:
 * the account for a transfer takes nothing any more.
 */
export type Screen =
  | 'choose'
  | 'confirm'
  | 'code'
  | 'redirect'
  | 'transfer'
  | 'closed'
  | 'prompt'
  | 'crypto'
  | 'processing'
  | 'paid'
  | 'ended'

const screens: Record<string, Screen> = {
  otp: 'code',
  redirect: 'redirect',
  pin: 'code',
  bank_transfer: 'transfer',
  phone_prompt: 'prompt',
  crypto_address: 'crypto',
}

/** The page a session needs now. `wantsOther`: the buyer wants to choose again. Ignored once money has arrived. */
export function screenOf(session: Session, wantsOther: boolean): Screen {
  const { status, payment_status, next_action, amount_received: received, can_be_paid: canBePaid } = session
  if (status === 'completed') return 'paid'
  // What a rail still works on is decided first.
  if (status !== 'open' || (!canBePaid && payment_status !== 'processing')) return 'ended'
  if (payment_status === 'requires_payment_method' || payment_status === 'failed') return 'choose'
  const mayChoose = payment_status === 'requires_confirmation' || payment_status === 'requires_action'
  if (wantsOther && mayChoose && isZero(received ?? '0')) return 'choose'
  if (payment_status === 'requires_confirmation') return 'confirm'
  if (payment_status !== 'requires_action') return 'processing'
  if (hasClosed(session)) return 'closed'
  return screens[next_action?.type ?? ''] ?? 'processing'
}

/** Whether the account of a transfer has closed before anything came: what is sent to it now goes back. */
const hasClosed = ({ next_action: action, amount_received: received, as_of: now }: Session): boolean =>
  action?.type === 'bank_transfer' && isZero(received ?? '0') && Date.parse(action.expires_at) <= Date.parse(now)
