import Type, { type TSchema } from 'typebox'
import type { Currency } from '../domain/currency.ts'
import { type IdPrefix, idPattern } from '../domain/id.ts'
import type { PayoutCurrency } from '../domain/payout/destination.ts'

/** Money on the wire: a decimal string at the currency's precision. */
export const Money = Type.String({ pattern: '^(0|[1-9]\\d*)(\\.\\d+)?$', maxLength: 40, examples: ['25.00'] })

/** ISO 8601 in UTC. */
export const Timestamp = Type.String({ format: 'date-time' })

/** A moment that a caller sends; narrower than the format, which also has leap seconds and time zone names. */
export const Moment = Type.String({
  format: 'date-time',
  pattern: '^[12]\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
  maxLength: 40,
  examples: ['2026-01-31T00:00:00Z'],
})

const code = Type.String({ minLength: 3, maxLength: 10, examples: ['USD'] })
export const CurrencyCode = Type.Unsafe<Currency>(code)
/** Of what a payout arrives in, which may be a stablecoin. */
export const PayoutCurrencyCode = Type.Unsafe<PayoutCurrency>(code)

/** A code that a caller sends, in any case: of a currency, or of a crypto asset where those count as one. */
export const sentCurrency = (more: object = {}) =>
  Type.String({ maxLength: 20, format: 'currency', examples: ['USD'], ...more })

/** An id of a resource in an answer. */
export const id = (prefix: IdPrefix) => Type.String({ pattern: idPattern(prefix) })

/** An id that a caller sends: any short text, as an unknown one is answered with 404 and not with a lecture. */
export const idParameter = (prefix: IdPrefix) => Type.String({ maxLength: 64, examples: [`${prefix}_…`] })

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Caller's key-value data: at most 50 keys of 40 characters, values of 500 (docs/contract/general.md, "Metadata"). */
export const Metadata = Type.Record(Type.String({ pattern: '^[\\s\\S]{1,40}$' }), Type.String({ maxLength: 500 }), {
  maxProperties: 50,
  additionalProperties: false,
})

/** The same in a change: an empty value removes its key, and an empty text for the whole removes them all. */
export const ChangedMetadata = Type.Union([Metadata, Type.String({ maxLength: 0 })], {
  description: 'Merged: a key with an empty value is removed, and an empty text for the whole removes them all.',
})

// What ends a line or moves a cursor: C0, DEL, C1, and the separators of lines and paragraphs.
const controls = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029'
// What makes a text read as another: bidirectional embeddings, overrides and isolates.
const overrides = '\\u202a-\\u202e\\u2066-\\u2069'
// What nobody sees: a soft hyphen, marks and joiners of no width. Persian, Hindi and emoji need some of them in names.
const unseen = '\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2060-\\u2065\\ufeff'

/** One line of text: it goes into receipts, the headers of mails and the statements of banks. It may be empty. */
export const singleLine = (maxLength: number, more: object = {}) =>
  Type.String({ maxLength, pattern: `^[^${controls}${overrides}]*$`, ...more })

// White space that is no control.
const blanks = ' \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000'
const visible = `[^\\s${controls}${overrides}${unseen}]`

/** One line that shows something. Without a look ahead, which the patterns of many languages do not have. */
export const nameOf = (maxLength: number, more: object = {}) =>
  Type.String({ maxLength, pattern: `^[${blanks}${unseen}]*${visible}[^${controls}${overrides}]*$`, ...more })

/** What may be the address of a webhook; where it may lead to is another question. */
export const WebhookAddress = Type.String({
  minLength: 1,
  maxLength: 2048,
  pattern: `^${visible}+$`,
  examples: ['https://example.com/webhooks'],
})

/** An absolute http(s) address. */
export const WebAddress = Type.String({
  maxLength: 2048,
  format: 'url',
  pattern: `^https?://${visible}+$`,
  examples: ['https://example.com/thanks'],
})

// Without İ, the one letter that grows when it is lowered, so that what fits here fits in its column too.
const inEmail = `[^\\s@<>\\u0130${controls}${overrides}${unseen}]`
export const Email = Type.String({
  maxLength: 320,
  pattern: `^${inEmail}+@${inEmail}+\\.${inEmail}+$`,
  examples: ['ada@example.com'],
})

export const ErrorObject = Type.Object(
  {
    detail: Type.String(),
    error_code: Type.String(),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.String(),
          message: Type.String(),
          type: Type.String(),
          code: Type.Optional(Type.String()),
        }),
      ),
    ),
  },
  { $id: 'Error' },
)

export const Pagination = Type.Object(
  {
    next_cursor: nullable(Type.String()),
    prev_cursor: nullable(Type.String()),
    has_more: Type.Boolean(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    returned: Type.Integer(),
    total: Type.Integer(),
  },
  { $id: 'Pagination' },
)

/** A list of the `/v1` family. */
export const page = <T extends TSchema>(item: T) => Type.Object({ items: Type.Array(item), pagination: Pagination })

/** The lists of refunds and payouts, which are read by offset alone (docs/contract/general.md, "Lists"). */
export const pageWithTotal = <T extends TSchema>(item: T) =>
  Type.Object({ total: Type.Integer(), items: Type.Array(item) })

/** Rows that are skipped are read all the same, so there is an end to it. */
const offsetMax = 100_000_000

export const offsetQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: offsetMax, default: 0, description: 'Further on than that only by cursor.' }),
  ),
}

/** The query parameters that every other list takes, beside its filters. */
export const pageQuery = {
  ...offsetQuery,
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
}

/** The timestamps in an answer. */
export const iso = (moment: Date): string => moment.toISOString()
export const isoOrNull = (moment: Date | null): string | null => moment?.toISOString() ?? null
