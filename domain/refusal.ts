/** Every error code of the interface with its HTTP status: the one table that the API, OpenAPI and the docs read. */
export const errorCodes = {
  VALIDATION_ERROR: 400,
  ACCOUNT_NOT_ACTIVATED: 400,
  ACCOUNT_PAYMENT_METHODS_RESTRICTED: 400,
  CHECKOUT_HAS_NO_PAYMENT_METHOD: 400,
  CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD: 400,
  PAYMENT_METHOD_NOT_ALLOWED: 400,
  CURRENCY_NOT_SUPPORTED: 400,
  AMOUNT_BELOW_MINIMUM: 400,
  CUSTOMER_REQUIRED: 400,
  CHARGE_NOT_REFUNDABLE: 400,
  REFUND_EXCEEDS_REMAINING: 400,
  REFUND_ADDRESS_REQUIRED: 400,
  INSUFFICIENT_BALANCE: 400,
  DESTINATION_NOT_USABLE: 400,
  QUOTE_REQUIRED: 400,
  QUOTE_EXPIRED: 400,
  SIMULATION_NOT_ALLOWED: 400,
  INVALID_LOGIN_TOKEN: 400,
  ACTIVE_KEY_EXISTS: 400,
  UNAUTHORIZED: 401,
  INVALID_CREDENTIALS: 401,
  INVALID_CODE: 401,
  FORBIDDEN: 403,
  ACCOUNT_LOCKED: 403,
  EMAIL_NOT_VERIFIED: 403,
  CAPABILITY_NOT_ACTIVE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  QUOTE_ALREADY_USED: 409,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  BAD_GATEWAY: 502,
  SERVICE_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof errorCodes
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code)

/** One field-level entry of the error object (docs/contract/general.md, "Errors"). */
export type FieldError = { field: string; message: string; type: string; code?: string }

/** The error for a field that was left out. */
export const missing = (field: string): FieldError => ({ field, message: 'is required', type: 'value_error.missing' })

/**
 * Whether the same call may succeed later, because something was unavailable or busy. `TOO_MANY_REQUESTS` does not
 * count: the caller has asked too often, and tries again on their own.
 */
export const isTransient = (code: ErrorCode): boolean => errorCodes[code] >= 500

/**
 * A business "no", answered with its code's status. In a process it is final, unless its code is transient: then the
 * step is made again. Its message reaches the caller and the process's history, so it names no personal data and no
 * secret.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly errors: FieldError[]
  /** After how many seconds another try makes sense; null: unknown. */
  readonly retryAfter: number | null

  constructor(code: ErrorCode, message: string, errors: FieldError[] = [], retryAfter: number | null = null) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.errors = errors
    this.retryAfter = retryAfter
  }
}

/** A refusal for the state something is in. `code` tells callers which one it is; `entry` is what the error's says. */
export const conflict = (code: string, message: string, entry = { field: 'body', message: 'is refused' }): Refusal =>
  new Refusal('CONFLICT', message, [{ ...entry, type: 'value_error', code }])

const namedMax = 20

/** The message that lists the allowed values of a field. Of a long list it names the first ones. */
export function mustBeOneOf(values: readonly unknown[]): string {
  const more = values.length > namedMax ? `, or one of ${values.length - namedMax} more` : ''
  return `must be ${values.length > 1 ? 'one of ' : ''}${values.slice(0, namedMax).map(String).join(', ')}${more}`
}

/** A refusal of a currency that does not exist, or that the call does not take; `allowed` are those that it takes. */
export function unsupportedCurrency(field: string, allowed: readonly string[], why = ''): Refusal {
  const message = `${mustBeOneOf(allowed)}${why}`
  return new Refusal('CURRENCY_NOT_SUPPORTED', `${field}: ${message}`, [{ field, message, type: 'value_error.enum' }])
}

/** A refusal that says which field is wrong; `type` follows the form `value_error.<what>`. */
export const invalid = (field: string, message: string, type = 'value_error.format'): Refusal =>
  new Refusal('VALIDATION_ERROR', `${field}: ${message}`, [{ field, message, type }])
