import Big from 'big.js'
import { type Currency, perUsd } from '../domain/currency.ts'
import type { Rate } from '../domain/balance/exchange.ts'
import { parseExactly } from '../domain/exact-json.ts'
import { Refusal } from '../domain/refusal.ts'
import { fieldsOf, isRecord } from '../domain/narrow.ts'
import { readBounded } from './read-bounded.ts'
import { minuteMs } from '../domain/duration.ts'

export type FeedOptions = {
  /** Answers a GET with JSON whose `rates` are units of each currency for one US dollar. */
  url: string
  key: string | null
  logger: { warn(about: object, message: string): void }
  /** One clock over connect, head and body. */
  timeoutMs?: number
  /** Milliseconds on a clock that never goes back. */
  now?: () => number
}

/** What one US dollar bought when the feed was read. */
export type RateTable = {
  /** Refuses with `BAD_GATEWAY` where the feed says nothing, or nothing sensible, about the currency. */
  perUsd(currency: Currency): Rate
}

/** How a caller waits for the feed, such as without the transaction in which it needs the rates. */
export type AskOutside = <T>(question: string, ask: () => Promise<T>) => Promise<T>

const defaultTimeoutMs = 2_000
/** A table is used for a minute without asking again, and for at most ten minutes while the feed does not answer. */
const freshMs = minuteMs
const usableMs = 10 * minuteMs
/** The pause after the feed has failed: calls in this time do not wait for it. */
const pauseMs = 5_000
const bytesMax = 256 * 1024
/** A rate beyond this many times our reference, either way, is an error of the feed and no movement of a market. */
const plausibleFactor = 10

/** Reads a feed of exchange rates: once for all who ask at the same time, and not more than once a minute. */
export function createRateFeed({ logger, now = () => performance.now(), ...source }: FeedOptions) {
  let kept: { table: RateTable; at: number } | null = null
  let failed: { refusal: Refusal; at: number } | null = null
  let reading: Promise<RateTable> | null = null

  async function readAnew(): Promise<RateTable> {
    try {
      const table = toTable(await fetchText(source))
      kept = { table, at: now() }
      failed = null
      return table
    } catch (error) {
      const refusal = error instanceof Refusal ? error : unavailable()
      failed = { refusal, at: now() }
      logger.warn({ code: refusal.code, reason: refusal.message }, 'exchange rates could not be read')
      throw refusal
    } finally {
      reading = null
    }
  }

  const readOnce = () => (reading ??= readAnew())

  return {
    /**
     * While the feed fails, the last table is used as long as it may be. In the minute after a failure nobody waits.
     * Refuses with `SERVICE_UNAVAILABLE` for a feed that is unavailable and `BAD_GATEWAY` for one that answers
     * nonsense.
     */
    async read(askOutside: AskOutside = (_question, ask) => ask()): Promise<RateTable> {
      const ageMs = kept ? now() - kept.at : Infinity
      if (kept && ageMs < freshMs) return kept.table
      const refusal = failed && now() - failed.at < pauseMs ? failed.refusal : null
      const usable = ageMs < usableMs ? kept?.table : undefined
      if (usable) {
        const newest = refusal ? null : readOnce().catch(() => usable)
        const isFailing = failed !== null && now() - failed.at < freshMs
        return newest && !isFailing ? askOutside('exchange rates', () => newest) : usable
      }
      if (refusal) throw refusal
      return askOutside('exchange rates', readOnce)
    },
  }
}

const unavailable = () => new Refusal('SERVICE_UNAVAILABLE', 'exchange rates are not available', [], pauseMs / 1000)
const nonsense = (what: string) => new Refusal('BAD_GATEWAY', `the source of exchange rates ${what}`)

async function fetchText({ url, key, timeoutMs = defaultTimeoutMs }: Omit<FeedOptions, 'logger'>): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    redirect: 'error', // the key must not be sent to another address
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) {
    await response.body?.cancel() // an unread body would keep its connection
    throw response.status >= 500 || response.status === 429
      ? unavailable()
      : nonsense(`answers with ${response.status}`)
  }
  const text = response.body ? await readBounded(response.body, bytesMax) : ''
  if (text === null) throw nonsense('answers with too much')
  return text
}

/** The usual shape of such feeds: `rates` by currency, and `base` or `base_code`, which must be the US dollar. */
function toTable(text: string): RateTable {
  const { base, base_code: baseCode = base, rates } = parse(text)
  if (baseCode !== 'USD' || !isRecord(rates)) throw nonsense('has no rates of USD')
  return {
    perUsd(currency) {
      const rate: unknown = currency === 'USD' ? '1' : rates[currency]
      if (!isPlausible(rate, currency)) throw nonsense(`has no usable rate for ${currency}`)
      return rate
    },
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return fieldsOf(parseExactly(text))
  } catch {
    throw nonsense('does not answer in JSON')
  }
}

function isPlausible(rate: unknown, currency: Currency): rate is Rate {
  if (typeof rate !== 'string' || !/^\d{1,12}(\.\d{1,20})?$/.test(rate)) return false
  const ratio = new Big(rate).div(perUsd(currency))
  return ratio.lte(plausibleFactor) && ratio.times(plausibleFactor).gte(1)
}
