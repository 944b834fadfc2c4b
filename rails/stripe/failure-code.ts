import type { FailureCode } from '../../domain/checkout/payment.ts'

/** Stripe's decline codes and error codes that say more than that the card was declined (docs/rails.md). */
const failureCodes: Record<string, FailureCode> = {
  insufficient_funds: 'insufficient_funds',
  withdrawal_count_limit_exceeded: 'insufficient_funds',
  card_velocity_exceeded: 'insufficient_funds',
  expired_card: 'expired_card',
  authentication_required: 'authentication_failed',
  authentication_not_handled: 'authentication_failed',
  payment_intent_authentication_failure: 'authentication_failed',
  setup_intent_authentication_failure: 'authentication_failed',
  payment_intent_payment_attempt_expired: 'customer_timeout',
  payment_method_customer_decline: 'customer_rejected',
  account_closed: 'invalid_account',
  no_account: 'invalid_account',
  invalid_account: 'invalid_account',
  processing_error: 'rail_unavailable',
  issuer_not_available: 'rail_unavailable',
  payment_method_provider_timeout: 'rail_unavailable',
}

type Reason = { code?: string | null; decline_code?: string | null } | null | undefined

/** Our code for why Stripe could not take the money. The decline code says more than the code, where both are there. */
export function failureCodeOf(reason: Reason): FailureCode {
  const known = [reason?.decline_code, reason?.code].find((code) => code && Object.hasOwn(failureCodes, code))
  return failureCodes[known ?? ''] ?? 'card_declined'
}
