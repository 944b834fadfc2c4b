import { apiVersions } from '../../api/http/versions.ts'
import { idPrefixes, newId } from '../../domain/id.ts'
import type { IdPrefix } from '../../domain/id.ts'
import { isRecord } from '../../domain/narrow.ts'

/** When the calls of the examples are made. */
export const exampleTime = Date.UTC(2026, 0, 31, 12)
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** Where the service of the examples is. */
export const exampleBase = 'https://pay.example.com'

const months = 'January February March April May June July August September October November December'.split(' ')
const dayInWords = `\\b\\d{1,2} (?:${months.join('|')}) \\d{4}\\b`
const prefixes = Object.keys(idPrefixes).join('|')
const randomDigits = 24

type Rule = [pattern: RegExp, replace: (found: string, how: Normalizing) => string]
type Normalizing = { now: number; count: Map<string, number> }

/** Secrets keep their form, but look like none that somebody could have forgotten. */
const rules: Rule[] = [
  [/(?<=_secret_)[\w-]{20,}/g, () => 'exampleSecret'],
  [/\bsk_(?:sandbox|live)_\w{20,}/g, (found) => `${found.split('_').slice(0, 2).join('_')}_example`],
  [/\bwhsec_[\w+/=]{20,}/g, () => 'whsec_ZXhhbXBsZQ=='],
  [/\brt_[\w-]{20,}/g, () => 'rt_example'],
  [/(?<=request )[\w-]{36}$/g, () => '00000000-0000-4000-8000-000000000000'],
  [/(?<=call again in )\d+(?= s$)/g, () => '17'],
  [/\bmarked-password-\w{8}/g, () => 'a long passphrase'],
  [/\bperson\d+\.\w{6}(?=@|%40)/g, () => 'ada.obi'],
  [/^\d{6}$/g, () => '123456'],
  [/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/g, backupCode],
  [/(?<=^|secret=)[A-Z2-7]{32}(?=$|&)/g, () => 'EXAMPLEKEYOFANAPPEXAMPLEKEYOFANA'],
  [/\bey[\w-]{10,}\.[\w-]+\.[\w-]+/g, () => 'ey.example.token'],
  [/\b[\w-]{20,}\.(?:[\w-]{43}|[\w-]{22})(?![\w-])/g, () => 'example-cursor'],
  [/\bSIM[\da-f]{24}\b/g, () => `SIM${'0'.repeat(24)}`],
  [/(?<=[?&]expires=)\d{13}\b/g, (found, how) => String(Date.parse(moved(new Date(Number(found)).toISOString(), how)))],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, () => '00000000-0000-4000-8000-000000000000'],
  [new RegExp(`(?<![0-9a-z])(?:${prefixes})_[0-9a-z]{34}(?![0-9a-z])`, 'g'), numbered],
  [/(?<![\w-])(?=[\w-]*\d)[\w-]{43}(?![\w-])/g, () => 'example-signature'],
  [/(?<=^|\/)(?=[\w-]*[A-Z\d])[\w-]{32}(?=$|[/?\s"<])/g, () => 'example-page-key'],
  [/(?<=^|\/)(?=\w*\d)(?=\w*[a-z])[0-9a-hjkmnp-tv-z]{16}(?=$|\/|\?)/g, () => 'example-slug'],
  // The times in the sentences of refusals are examples themselves, and always the same.
  [/(?<!such as ")\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, moved],
  [/(?<![\w-])\d{4}-\d\d-\d\d(?![\w-])/g, movedDate],
  [new RegExp(dayInWords, 'g'), movedInWords],
]

/** An id by its place among those of its kind: the first payment of every example has the same one. */
function numbered(found: string, { count }: Normalizing): string {
  const prefix = found.split('_')[0] as IdPrefix
  const number = (count.get(prefix) ?? 0) + 1
  count.set(prefix, number)
  return newId(prefix, exampleTime).slice(0, -randomDigits) + String(number).padStart(randomDigits, '0')
}

/** A backup code by its place among those of the example. */
function backupCode(_: string, { count }: Normalizing): string {
  const number = (count.get('backup code') ?? 0) + 1
  count.set('backup code', number)
  return `exam${number}-p1e0${number}`
}

/** A day, and a time at midnight, as many days before or after the call as it was. */
function movedDays(found: string, { now }: Normalizing): string {
  const time = Date.parse(found)
  if (isFarAway(time, now)) return found
  return new Date(Math.floor(exampleTime / day) * day + (time - Math.floor(now / day) * day)).toISOString()
}

/** A date; the date that is the name of a version of the API is none. */
function movedDate(found: string, how: Normalizing): string {
  return apiVersions.includes(found) ? found : movedDays(`${found}T00:00:00.000Z`, how).slice(0, 10)
}

/** A date as mails write it. */
function movedInWords(found: string, how: Normalizing): string {
  const date = new Date(movedDays(new Date(`${found} UTC`).toISOString(), how))
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}

/** A date of birth, or one that was sent as far away. */
const isFarAway = (time: number, now: number) => Math.abs(time - now) > 3 * 366 * day

/** A time as long before or after the call as it was, to the minute. A full hour, such as of a schedule, stays one. */
function moved(found: string, how: Normalizing): string {
  const { now } = how
  const time = Date.parse(found)
  if (time % day === 0) return movedDays(found, how)
  if (isFarAway(time, now)) return found
  const shifted = exampleTime + Math.round((time - now) / minute) * minute
  return new Date(time % hour === 0 ? Math.ceil(shifted / hour) * hour : shifted).toISOString()
}

/**
 * Replaces what differs from run to run by what is always the same, in one example: ids, times, secrets, addresses. The
 * same text is always replaced by the same one. `now` is when the call was made (ms since the epoch).
 */
export function createNormalizer(baseUrl: string, now: number) {
  const how = { now, count: new Map<string, number>() }
  const known = new Map<string, string>()

  function inText(text: string): string {
    let left = text.replaceAll(baseUrl, exampleBase)
    for (const [pattern, replace] of rules) {
      left = left.replace(pattern, (found) => {
        const before = known.get(found)
        if (before !== undefined) return before
        const after = replace(found, how)
        known.set(found, after).set(after, after)
        return after
      })
    }
    return left
  }

  return {
    normalize: <T>(value: T): T => mapTexts(value, inText) as T,
    /** Puts back what `normalize` has replaced so far, into a value that was recorded in another run. */
    putBack<T>(value: T): T {
      const pairs = [...known].filter(([before, after]) => before !== after)
      return mapTexts(value, (text) =>
        pairs.reduce((left, [before, after]) => left.replaceAll(after, before), text),
      ) as T
    },
  }
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [map(name), mapTexts(inner, map)]))
}

/** What differs between the shapes of two values: a field more or less, another type. Null fits everywhere. */
export function shapeDifference(one: unknown, other: unknown, path = 'the answer'): string | null {
  if (one === null || other === null) return null
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length === 0 || other.length === 0) return null
    return shapeDifference(merged(one), merged(other), `${path}[]`)
  }
  if (!isRecord(one) || !isRecord(other)) {
    return typeof one === typeof other ? null : `${path} is ${typeof one}, and not ${typeof other}`
  }
  const gone = Object.keys(one).find((name) => !Object.hasOwn(other, name))
  if (gone !== undefined) return `${path} has ${gone} no more`
  const added = Object.keys(other).find((name) => !Object.hasOwn(one, name))
  if (added !== undefined) return `${path} has ${added}, too`
  for (const [name, inner] of Object.entries(one)) {
    const difference = shapeDifference(inner, other[name], `${path}.${name}`)
    if (difference) return difference
  }
  return null
}

/** One item with the fields of all, as the items of a list may be of several kinds. */
const merged = (items: unknown[]): unknown =>
  items.every(isRecord) ? Object.assign({}, ...items) : items.find((item) => item !== null)

/** Fields of answers that differ from run to run: counts, durations, and what is drawn or numbered anew each time. */
const chanceFields = new Set(
  (
    'account_number address audit_entry_id count duration_ms failed last_four network_dispute_id pending sequence ' +
    'session_id succeeded total'
  ).split(' '),
)
const idOfExample = new RegExp(`(?<![0-9a-z])(${prefixes})_[0-9a-z]{34}(?![0-9a-z])`, 'g')
const someTime = /(?<![\w-])\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?(?![\w-])|(?<=[?&]expires=)\d{13}\b/g
const someDay = new RegExp(dayInWords, 'g')

/**
 * Whether two recordings of a call say the same. They may differ in ids, times, the order of a list and the fields
 * above; an amount stays an amount, and what is sent is compared as it is but for its ids and times.
 */
export const isSameButForChance = (before: unknown, now: unknown): boolean =>
  JSON.stringify(steady(before)) === JSON.stringify(steady(now))

function steady(value: unknown, { isSent = false } = {}): unknown {
  if (typeof value === 'string')
    return value
      .replace(idOfExample, '$1')
      .replace(someTime, (found) => (apiVersions.includes(found) ? found : 'time'))
      .replace(someDay, 'day')
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(steady(item, { isSent }))).toSorted()
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (!isSent && chanceFields.has(name) && isShort(inner)) return [name, typeof inner]
      return [name, steady(inner, { isSent: isSent || name === 'request' })]
    }),
  )
}

/** A number, or a text of one word that is no amount of money. */
const isShort = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && !/^\d+\.\d{2}$|\s/.test(value))
