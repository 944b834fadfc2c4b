import type { ErrorCode } from './refusal.ts'

/** What an error code means, and what the caller does next. Both are sentences in Markdown without a line break. */
export type ErrorHelp = { means: string; next: string }

/** The one table of what every error code means, for the page of errors and the manual. */
export const errorHelp: Record<ErrorCode, ErrorHelp> = {
  VALIDATION_ERROR: {
    means: 'The input is not valid. `errors` lists every error.',
    next: 'Correct each field that `errors` names, and call again.',
  },
  ACCOUNT_NOT_ACTIVATED: {
    means:
      'In live: the account is not active yet, or no payment method of it is; or no live provider serves what the ' +
      'call needs.',
    next: 'Finish the onboarding of the account. Until then use a sandbox key.',
  },
  ACCOUNT_PAYMENT_METHODS_RESTRICTED: {
    means: 'In live: a payment method is restricted and none is active; or none that is on can save a card.',
    next:
      'Read `GET /v1/accounts/{account_id}` with the id of the account that sells, and provide what the ' +
      'capabilities of its payment methods require.',
  },
  CHECKOUT_HAS_NO_PAYMENT_METHOD: {
    means: 'In live: every payment method is off, or no live provider serves one for this sale.',
    next: 'Switch on a payment method in the checkout settings.',
  },
  CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD: {
    means: '`payment_method_options` leaves no payment method.',
    next: 'Allow at least one method that is on and can pay this currency and amount.',
  },
  PAYMENT_METHOD_NOT_ALLOWED: {
    means: 'This session cannot be paid by this method, or no longer can.',
    next: 'Choose one of the `payment_methods` of the session.',
  },
  CURRENCY_NOT_SUPPORTED: {
    means: 'There is no such currency, or this call does not support it.',
    next: 'Use a currency that the message names.',
  },
  AMOUNT_BELOW_MINIMUM: {
    means:
      'After its fee nothing would be left of the refund; the payout is below the minimum; or the amount to exchange ' +
      'is worth less than the smallest amount of the other currency.',
    next: 'Send a larger amount, or let the organization bear the fee (`fee_bearer`).',
  },
  CUSTOMER_REQUIRED: { means: 'The sale needs a customer.', next: 'Send `customer`.' },
  CHARGE_NOT_REFUNDABLE: {
    means: 'No money of this charge has settled, or its buyer may still pay the rest.',
    next:
      'Wait until the payment is `succeeded`, or until its session has ended. Then call again, with a new ' +
      '`Idempotency-Key`.',
  },
  REFUND_EXCEEDS_REMAINING: {
    means: 'The amount is larger than what refunds and disputes have left.',
    next: 'Send at most the amount that the message names, or leave `amount` out to refund all of it.',
  },
  REFUND_ADDRESS_REQUIRED: {
    means: 'A refund of a crypto payment needs an address to send to.',
    next: 'Ask the buyer for their address and send it as `refund_address`.',
  },
  INSUFFICIENT_BALANCE: {
    means: 'The available balance is too low, or something is owed in this currency.',
    next:
      'Read `GET /v1/balances`. Wait until pending money is available, or send a smaller amount. Call again with a ' +
      'new `Idempotency-Key`.',
  },
  DESTINATION_NOT_USABLE: {
    means: 'The destination is not approved, or was deactivated.',
    next: 'Wait until its `status` is `approved`, or use another destination. Call again with a new `Idempotency-Key`.',
  },
  QUOTE_REQUIRED: {
    means: 'A payout in another currency than that of the balance needs a quote.',
    next: 'Create a quote by `POST /v1/conversions/quotes` and send its `quote_id`, without `amount`.',
  },
  QUOTE_EXPIRED: { means: 'The quote was valid for five minutes, which are over.', next: 'Create a new quote.' },
  SIMULATION_NOT_ALLOWED: {
    means: 'Only sandbox keys may simulate.',
    next: 'Leave the simulation out, or use a sandbox key.',
  },
  INVALID_LOGIN_TOKEN: { means: 'The login token is wrong or has expired.', next: 'Log in again from the start.' },
  ACTIVE_KEY_EXISTS: {
    means: 'An active key exists for this environment.',
    next: 'Revoke it first, then create a new one.',
  },
  UNAUTHORIZED: {
    means: 'No credential was sent, or one that is wrong, expired, revoked or of another kind.',
    next: 'Send a valid key as `Authorization: Bearer sk_…`. The message says what was sent.',
  },
  INVALID_CREDENTIALS: { means: 'The email or the password is wrong.', next: 'Check both and log in again.' },
  INVALID_CODE: {
    means: 'The code is wrong, was used already, or the challenge has ended.',
    next: 'Enter the newest code. If it is refused again, log in from the start.',
  },
  FORBIDDEN: {
    means:
      'The key lacks the scope; the person lacks the role or belongs to no organization; or the charge to refund ' +
      'belongs to another organization.',
    next: 'Use a key that has the scope named in the message, or ask an owner of the organization for the role.',
  },
  ACCOUNT_LOCKED: {
    means: 'Five logins have failed, so the email is locked for 6 hours.',
    next: 'Wait until the 6 hours are over.',
  },
  EMAIL_NOT_VERIFIED: {
    means: 'The password is right, but the email address is not verified.',
    next: 'Ask whoever runs the service.',
  },
  CAPABILITY_NOT_ACTIVE: {
    means: 'The capability that the call needs is not active: `payouts`, `virtual_accounts` or `transfers`.',
    next: 'Request the capability and provide what it requires.',
  },
  NOT_FOUND: {
    means: 'The object does not exist, or it is not yours. Both get the same answer.',
    next: 'Check the id, the environment of your key and `X-Account-Id`.',
  },
  METHOD_NOT_ALLOWED: {
    means: 'The path does not have this method.',
    next: 'Use a method that the header `Allow` lists.',
  },
  CONFLICT: {
    means:
      'This is not possible in the present state of the object; the object exists already; or the idempotency key is ' +
      'in use (`idempotency_key_in_use`) or was used with another body (`idempotency_key_reused`).',
    next: 'Read the object again. For a new operation use a new `Idempotency-Key`.',
  },
  QUOTE_ALREADY_USED: {
    means: 'A quote is valid for one use, and this one has been used.',
    next:
      'Look for the payout or the conversion that has used it: an earlier call of yours may have succeeded. Create a ' +
      'new quote only if you want a further one.',
  },
  TOO_MANY_REQUESTS: {
    means: 'The limit of this minute is reached.',
    next: 'Wait for the seconds that the header `Retry-After` names.',
  },
  INTERNAL_SERVER_ERROR: {
    means: 'An error of the service.',
    next: 'Call again with the same `Idempotency-Key`. If it stays, send support the id in `X-Request-Id`.',
  },
  BAD_GATEWAY: {
    means: 'A provider, or the source of the exchange rates, gave an answer that cannot be used.',
    next: 'Call again in a minute.',
  },
  SERVICE_UNAVAILABLE: {
    means: 'The database or the engine is unavailable, or the service is overloaded.',
    next: 'Call again after `Retry-After`, with the same `Idempotency-Key`.',
  },
}
