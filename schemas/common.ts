import Type, { type TSchema } from 'typebox'
import type { Currency } from '../domain/currency.ts'
import { type IdPrefix, idPattern } from '../domain/id.ts'
import type { PayoutCurrency } from '../domain/payout/destination.ts'

/** Money on the wire: a decimal string at the currency's precision. */
export const Money = Type.String({ pattern: '^(0|[1-9]\\d*)(\\.\\d+)?$', maxLength: 40, examples: ['25.00'] })

/** Money that may be below zero, such as a credit. */
export const SignedMoney = Type.String({ pattern: '^-?(0|[1-9]\\d*)(\\.\\d+)?$', maxLength: 41, examples: ['-5.00'] })

/** ISO 8601 in UTC. */
export const Timestamp = Type.String({ format: 'date-time' })

/** A time in a request. Stricter than the format, which also allows leap seconds and time zone names. */
export const Moment = Type.String({
  format: 'date-time',
  pattern: '^[12]\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
  maxLength: 40,
  examples: ['2026-01-31T00:00:00Z'],
})

const code = Type.String({ minLength: 3, maxLength: 10, examples: ['USD'] })
export const CurrencyCode = Type.Unsafe<Currency>(code)
/** The currency in which a payout arrives; it may be a stablecoin. */
export const PayoutCurrencyCode = Type.Unsafe<PayoutCurrency>(code)

/** A currency code in a request, in upper or lower case. Some fields also allow the code of a crypto asset. */
export const sentCurrency = (more: object = {}) =>
  Type.String({ maxLength: 20, format: 'currency', examples: ['USD'], ...more })

/** A language in a request, with or without a country. One that is not ours is allowed: who reads it gets English. */
export const Locale = Type.String({
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  maxLength: 20,
  examples: ['en-NG'],
})

/** An id of a resource in an answer. */
export const id = (prefix: IdPrefix) => Type.String({ pattern: idPattern(prefix) })

/** An id in a request: any short text, so that a wrong id is answered with 404 and not with a validation error. */
export const idParameter = (prefix: IdPrefix) => Type.String({ maxLength: 64, examples: [`${prefix}_…`] })

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const metadataKey = '^[\\s\\S]{1,40}$'

/** Caller's key-value data: at most 50 keys of 40 characters, values of 500 (docs/contract/general.md, "Metadata"). */
export const Metadata = Type.Record(Type.String({ pattern: metadataKey }), Type.String({ maxLength: 500 }), {
  maxProperties: 50,
  additionalProperties: false,
})

/** Metadata in a change: an empty value removes its key; empty text instead of the object removes all keys. */
export const ChangedMetadata = Type.Union([Metadata, Type.String({ maxLength: 0 })], {
  description: 'Merged: an empty value removes its key; empty text instead of the object removes all keys.',
})

// Characters that end a line or move a cursor: C0, DEL, C1, line and paragraph separators.
const controls = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029'
// Characters that reorder the text on display: bidirectional embeddings, overrides and isolates.
const overrides = '\\u202a-\\u202e\\u2066-\\u2069'
// Invisible characters: soft hyphen, zero-width marks and joiners. Names in Persian, Hindi or with emoji need some.
const unseen = '\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2060-\\u2065\\ufeff'

export const oneLine = `^[^${controls}${overrides}]*$`
/** One line of text, as it is printed on receipts, bank statements and in mail headers. It may be empty. */
export const singleLine = (maxLength: number, more: object = {}) =>
  Type.String({ maxLength, pattern: oneLine, ...more })

// White space other than control characters.
const blanks = ' \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000'
const visible = `[^\\s${controls}${overrides}${unseen}]`

// No lookahead, as many regular expression engines lack it.
export const visibleLine = `^[${blanks}${unseen}]*${visible}[^${controls}${overrides}]*$`
/** One line with at least one visible character. */
export const nameOf = (maxLength: number, more: object = {}) =>
  Type.String({ maxLength, pattern: visibleLine, ...more })

/** The pattern of text, of any number of lines, that is more than white space. */
export const notBlank = '\\S'

/** The form of a webhook address. Whether its host is allowed is checked elsewhere. */
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

/** An email without some more characters. Without İ: its lower case is longer, so it might not fit into its column. */
function emailWithout(more: string) {
  const never = `\\s@<>${more}\\u0130${controls}${overrides}${unseen}`
  const some = `[^${never}]`
  // One way to match: the first point that is not the first character of the domain. With more ways, a long text that
  // matches in none would take seconds.
  const pattern = `^${some}+@${some}[^.${never}]*\\.${some}+$`
  return Type.String({ maxLength: 320, pattern, examples: ['ada@example.com'] })
}

/** Without what stands between addresses, or for something else in a list of them, unless it is in quotes. */
export const Email = emailWithout(',;:"()\\[\\]\\\\')
/** An email that is only looked up: an earlier release may have stored it with characters that are refused now. */
export const StoredEmail = emailWithout('')

export const ErrorObject = Type.Object(
  {
    detail: Type.String(),
    error_code: Type.String(),
    // Not in an answer that an older release has stored under an idempotency key.
    doc_url: Type.Optional(
      Type.String({ format: 'uri', description: 'The page that says what the code means and what to do next.' }),
    ),
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

const { offset: _offset, total: _total, ...ofCursors } = Pagination.properties
export const CursorPagination = Type.Object(ofCursors, { $id: 'CursorPagination' })

/** A list of the `/v1` family. */
export const page = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), pagination: Pagination }, pageName(item))

/** A list that is read by its cursor alone: it is too long to be counted, and for an offset. */
export const pageByCursor = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), pagination: CursorPagination }, pageName(item))

/** The name of a page: that of its items and `Page`. */
const pageName = ({ $id }: TSchema & { $id?: string }) => ($id === undefined ? {} : { $id: `${$id}Page` })

/** The lists of refunds and payouts, which are read by offset alone (docs/contract/general.md, "Lists"). */
export const pageWithTotal = <T extends TSchema>(item: T) =>
  Type.Object({ total: Type.Integer(), items: Type.Array(item) }, pageName(item))

/** The largest offset, as the database also reads the rows that it skips. */
const offsetMax = 100_000_000

export const offsetQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: offsetMax, default: 0, description: 'Beyond the maximum, use a cursor.' }),
  ),
}

/** The query parameters of a list that is read by its cursor alone. */
export const cursorQuery = {
  limit: offsetQuery.limit,
  cursor: Type.Optional(
    Type.String({ maxLength: 500, description: 'Continues a list: `next_cursor` or `prev_cursor` of a page.' }),
  ),
}

/** The query parameters of every other list, in addition to its filters. */
export const pageQuery = {
  ...offsetQuery,
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
}

/** The timestamps in an answer. */
export const iso = (moment: Date): string => moment.toISOString()
export const isoOrNull = (moment: Date | null): string | null => moment?.toISOString() ?? null
