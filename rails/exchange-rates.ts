import { type Currency, perUsd } from '../domain/currency.ts'
import { crossRate, type Rate } from '../domain/balance/exchange.ts'
import { type AskOutside, createRateFeed, type FeedOptions } from './rate-feed.ts'

/** The current exchange rates between currencies. */
export type ExchangeRates = {
  /**
   * Units of `to` that one unit of `from` buys. Refuses with `SERVICE_UNAVAILABLE` or `BAD_GATEWAY`: none is known.
   * A caller in a transaction gives `askOutside`, which waits for the feed without it.
   */
  rate(from: Currency, to: Currency, askOutside?: AskOutside): Promise<Rate>
}

/** The sandbox's rates never move. */
export const sandboxExchangeRates: ExchangeRates = {
  rate: async (from, to) => crossRate(perUsd(from), perUsd(to)),
}

/** The rates that serve a deployment: a feed where one is configured (`RATES_URL`), else the sandbox's table. */
export function createExchangeRates(
  { ratesUrl: url, ratesKey: key }: { ratesUrl: string | null; ratesKey: string | null },
  logger: FeedOptions['logger'],
): ExchangeRates {
  return url === null ? sandboxExchangeRates : createLiveExchangeRates({ url, key, logger })
}

/** Rates from a feed that gives the units of each currency for one US dollar. */
export function createLiveExchangeRates(options: FeedOptions): ExchangeRates {
  const feed = createRateFeed(options)
  return {
    async rate(from, to, askOutside) {
      if (from === to) return '1'
      const table = await feed.read(askOutside)
      return crossRate(table.perUsd(from), table.perUsd(to))
    },
  }
}
