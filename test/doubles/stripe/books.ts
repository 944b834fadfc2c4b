import { randomBytes } from 'node:crypto'
import type { Params } from './form.ts'

/** An object of Stripe's API. */
export type Entry = { id: string; object: string; created: number } & Record<string, unknown>

/** A call of the API, by its method and path; `id` is the first id of the path. */
export type Route = [RegExp, (params: Params, id: string) => unknown]

/**
 * How a card behaves. `declines` and `declinesOffSession` are decline codes; `asks` sends its owner to their bank, with
 * `always` also where nobody is there; with `processes` the network takes its time.
 */
export type CardBehaviour = {
  declines?: string
  asks?: boolean | 'always'
  declinesOffSession?: string
  processes?: boolean
  disputes?: boolean
}

/** Stripe's own error, with the status of its answer. */
export class ApiError extends Error {
  readonly status: number
  readonly error: Record<string, unknown>
  /** Whether it was found before anything was carried out: such an answer is not kept under the idempotency key. */
  readonly isEarly: boolean

  constructor(status: number, error: Record<string, unknown>, isEarly = false) {
    super(String(error['message']))
    this.status = status
    this.error = error
    this.isEarly = isEarly
  }
}

export const invalidRequest = (message: string, more: Record<string, unknown> = {}, isEarly = false) =>
  new ApiError(400, { type: 'invalid_request_error', message, ...more }, isEarly)

const missing = (what: string, id: string, param: string, status: number) =>
  new ApiError(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${what}: '${id}'`,
    param,
  })

/** The books of the double: everything that Stripe knows, by its id. `livemode` is the mode of the account's key. */
export function createBooks(livemode: boolean) {
  const entries = new Map<string, Entry>()
  const behaviours = new Map<string, CardBehaviour>()
  const events: Entry[] = []
  const clock = { aheadMs: 0 }
  const nowMs = () => Date.now() + clock.aheadMs
  const newId = (prefix: string) => `${prefix}_${randomBytes(18).toString('base64url').replaceAll(/[-_]/g, 'x')}`

  function add<T extends Record<string, unknown>>(prefix: string, object: string, fields: T) {
    const entry = { id: newId(prefix), object, created: Math.floor(nowMs() / 1000), livemode, ...fields }
    entries.set(entry.id, entry)
    return entry
  }

  return {
    entries,
    behaviours,
    events,
    clock,
    nowMs,
    livemode,
    newId,
    add,
    /** The entry of that kind; Stripe answers 404 for the id of a path and 400 for that of a parameter. */
    get(object: string, id: string, param?: string): Entry {
      const entry = entries.get(id)
      if (entry?.object === object) return entry
      throw missing(object, id, param ?? 'id', param === undefined ? 404 : 400)
    },
    all: (object: string) => [...entries.values()].filter((entry) => entry.object === object),
    emit(type: string, { ...object }: Entry): void {
      events.push(add('evt', 'event', { type, data: { object }, api_version: '2026-10-28.endive' }))
    },
  }
}

export type Books = ReturnType<typeof createBooks>

/** A page of Stripe's list, newest first. */
export function page(found: Entry[], params: Params, url: string) {
  const newest = found.toReversed()
  const after = params['starting_after']
  const from = after === undefined ? 0 : newest.findIndex(({ id }) => id === after) + 1
  const size = Number(params['limit'] ?? 10)
  return { object: 'list', url, data: newest.slice(from, from + size), has_more: newest.length > from + size }
}

/** A page of all entries of a kind that fit: the newest first, by their time; `created` narrows it to a span. */
export function pageOfKind(books: Books, object: string, params: Params, url: string) {
  checkParams(params, ['created', 'limit', 'payment_intent', 'starting_after'])
  const { payment_intent: payment, created = {} } = params
  const { gte = '0', lt = String(Number.MAX_SAFE_INTEGER) } = created as Record<string, string>
  const found = books
    .all(object)
    .filter((entry) => payment === undefined || entry['payment_intent'] === payment)
    .filter((entry) => entry.created >= Number(gte) && entry.created < Number(lt))
  return page(
    found.toSorted((one, other) => one.created - other.created),
    params,
    url,
  )
}

/** Refuses parameters that a call does not have, and the absence of those that it needs. */
export function checkParams(params: Params, allowed: string[], needed: string[] = []): void {
  for (const key of Object.keys(params)) {
    if (![...allowed, ...needed, 'expand', 'metadata'].includes(key))
      throw invalidRequest(`Received unknown parameter: ${key}`, { code: 'parameter_unknown', param: key }, true)
  }
  for (const key of needed) {
    if (params[key] === undefined)
      throw invalidRequest(`Missing required param: ${key}.`, { code: 'parameter_missing', param: key }, true)
  }
}

/** Whole numbers as Stripe reads them. */
export function wholeNumber(params: Params, key: string): number {
  const text = String(params[key])
  if (!/^\d+$/.test(text))
    throw invalidRequest(`Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param: key }, true)
  return Number(text)
}
