import { idPrefixes, newId } from '../../domain/id.ts'
import type { IdPrefix } from '../../domain/id.ts'
import { isRecord } from '../../domain/narrow.ts'

/** When the calls of the examples are made. */
const at = Date.UTC(2026, 0, 31, 12)
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
/** Where the service of the examples is. */
export const exampleBase = 'https://pay.example.com'

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
  [/\b[\w-]{20,}\.[\w-]{43}(?![\w-])/g, () => 'example-cursor'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, () => '00000000-0000-4000-8000-000000000000'],
  [new RegExp(`(?<![0-9a-z])(?:${prefixes})_[0-9a-z]{34}(?![0-9a-z])`, 'g'), numbered],
  [/(?<![\w-])(?=[\w-]*\d)[\w-]{43}(?![\w-])/g, () => 'example-signature'],
  [/(?<=^|secret=)[A-Z2-7]{32}(?=$|&)/g, () => 'EXAMPLESECRETOFANAUTHENTICATORAP'],
  [/(?<=^|\/)(?=[\w-]*[A-Z\d])[\w-]{32}(?=$|\/|\?)/g, () => 'example-page-key'],
  [/(?<=^|\/)(?=\w*\d)(?=\w*[a-z])[0-9a-hjkmnp-tv-z]{16}(?=$|\/|\?)/g, () => 'example-slug'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, moved],
  [/(?<![\w-])\d{4}-\d\d-\d\d(?![\w-])/g, (found, how) => moved(`${found}T00:00:00.000Z`, how).slice(0, 10)],
]

/** An id by its place among those of its kind: the first payment of every example has the same one. */
function numbered(found: string, { count }: Normalizing): string {
  const prefix = found.split('_')[0] as IdPrefix
  const number = (count.get(prefix) ?? 0) + 1
  count.set(prefix, number)
  return newId(prefix, at).slice(0, -randomDigits) + String(number).padStart(randomDigits, '0')
}

/** A backup code by its place among those of the example. */
function backupCode(_: string, { count }: Normalizing): string {
  const number = (count.get('backup code') ?? 0) + 1
  count.set('backup code', number)
  return `exam${number}-p1e0${number}`
}

/** A time as long before or after the call as it was, to the minute. A full hour, such as of a schedule, stays one. */
function moved(found: string, { now }: Normalizing): string {
  const time = Date.parse(found)
  if (Math.abs(time - now) > 3 * 366 * day) return found // a date of birth, or one that was sent as far away
  const shifted = at + Math.round((time - now) / minute) * minute
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
        if (after !== found) known.set(found, after).set(after, after)
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
