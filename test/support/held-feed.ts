import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { currencyCodes, perUsd } from '../../domain/currency.ts'
import { createLiveExchangeRates } from '../../rails/exchange-rates.ts'
import type { Stack } from './stack.ts'
import { until } from './until.ts'

const answer = JSON.stringify({ base: 'USD', rates: Object.fromEntries(currencyCodes.map((to) => [to, +perUsd(to)])) })

/**
 * Makes a call that needs the first reading of a feed of exchange rates. The feed answers once no transaction of the
 * stack is open, and the result is the call's answer. Throws if a transaction stays open meanwhile.
 */
export async function holdingNothing<T>(stack: Stack, call: () => Promise<T>): Promise<T> {
  const { rates, logger } = stack.services
  const { rate } = rates
  const asked: ServerResponse[] = []
  const server = createServer((_, response) => void asked.push(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  rates.rate = createLiveExchangeRates({ url, key: null, logger, timeoutMs: 60_000 }).rate
  const open = `select query from pg_stat_activity where datname = current_database() and state like 'idle in trans%'`
  try {
    const answered = call()
    await until(() => asked.length > 0, 'the feed is asked')
    await until(async () => (await stack.sql(open)).length === 0, 'no transaction is open', { withinMs: 10_000 })
    for (const response of asked) response.end(answer)
    return await answered
  } finally {
    rates.rate = rate
    server.closeAllConnections()
    server.close()
  }
}
