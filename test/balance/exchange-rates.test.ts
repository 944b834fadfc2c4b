import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { createLiveExchangeRates, sandboxExchangeRates } from '../../rails/exchange-rates.ts'
import { type Currency, currencyCodes, digitsOf, perUsd } from '../../domain/currency.ts'
import { convert, crossRate } from '../../domain/balance/exchange.ts'
import { type ErrorCode, Refusal } from '../../domain/refusal.ts'
import { until } from '../support/until.ts'

const good = '{"base":"USD","rates":{"NGN":1612.5,"GHS":15.123456789012345678,"EUR":0.9,"KES":1290000,"UGX":"many"}}'
type Answer = (response: ServerResponse, request: IncomingMessage) => void
const says = (text: string): Answer => {
  return (response) => response.end(text)
}

let answer: Answer
let requests: IncomingMessage[] = []
const server = createServer((request, response) => {
  requests.push(request)
  answer(response, request)
})
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  answer = says(good)
  requests = []
})

/** Rates of the test's own server, with a clock that the test moves. */
function feed({ key = null as string | null, url = '', timeoutMs = 1_000 } = {}) {
  const clock = { ms: 0 }
  const logged: object[] = []
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest?app_id=secret`
  const logger = { warn: (about: object, message: string) => void logged.push({ ...about, message }) }
  const rates = createLiveExchangeRates({ url: url || here, key, timeoutMs, logger, now: () => clock.ms })
  return { rate: rates.rate, clock, logged }
}

const refuses = (code: ErrorCode) => (error: unknown) => error instanceof Refusal && error.code === code

test('the sandbox’s rates come from its table, in both directions, for every pair of currencies', async () => {
  for (const from of currencyCodes) {
    for (const to of currencyCodes) {
      const rate = await sandboxExchangeRates.rate(from, to)
      assert.match(rate, /^\d+(\.\d{1,18})?$/)
      assert.equal(convert(perUsd(from), rate, to), convert(perUsd(to), '1', to), `${from} ${to}`)
    }
  }
  assert.equal(await sandboxExchangeRates.rate('USD', 'NGN'), '1600')
  assert.equal(await sandboxExchangeRates.rate('NGN', 'USD'), '0.000625')
})

test('a converted amount is rounded half up to the decimals of its new currency', () => {
  const cases: [string, string, Currency, string][] = [
    ['25.00', '1600', 'NGN', '40000.00'],
    ['0.01', '0.5', 'USD', '0.01'],
    ['0.01', '0.49', 'USD', '0.00'],
    ['1.00', '3700.5', 'UGX', '3701'],
    ['1.00', '3700.49', 'UGX', '3700'],
    ['999999999999.99', '1', 'USD', '999999999999.99'],
  ]
  for (const [amount, rate, to, becomes] of cases) assert.equal(convert(amount, rate, to), becomes)
  assert.equal(digitsOf('UGX'), 0)
  assert.equal(crossRate('3', '1'), '0.33333333333333')
})

test('live rates are read from the feed with 14 digits, and with its key where it has one', async () => {
  const { rate } = feed({ key: 'sesame' })
  assert.equal(await rate('USD', 'NGN'), '1612.5')
  assert.equal(await rate('USD', 'GHS'), '15.123456789012')
  assert.equal(await rate('EUR', 'NGN'), crossRate('0.9', '1612.5'))
  assert.equal(await rate('KES', 'KES'), '1')
  assert.equal(requests.length, 1)
  assert.equal(requests[0]?.headers.authorization, 'Bearer sesame')
  answer = says(good.replace('"base"', '"result":"success","base_code"'))
  assert.equal(await feed().rate('USD', 'NGN'), '1612.5')
  assert.equal(requests[1]?.headers.authorization, undefined)
})

test('calls at the same time share one request to the feed, and the next request is a minute later', async () => {
  const { rate, clock } = feed()
  await Promise.all(Array.from({ length: 20 }, () => rate('USD', 'NGN')))
  assert.equal(requests.length, 1)
  clock.ms = 59_999
  await rate('USD', 'NGN')
  assert.equal(requests.length, 1)
  answer = says(good.replace('1612.5', '1613'))
  clock.ms = 60_000
  assert.equal(await rate('USD', 'NGN'), '1613')
  assert.equal(requests.length, 2)
})

test('while the feed does not answer, a call waits outside its transaction, and uses the last rates', async () => {
  const { rate, clock } = feed({ timeoutMs: 1_000 })
  await rate('USD', 'NGN')
  answer = () => undefined
  const outside: string[] = []
  const askOutside = <T>(question: string, ask: () => Promise<T>) => {
    outside.push(question)
    return ask()
  }
  clock.ms = 60_000
  assert.equal(await rate('USD', 'NGN', askOutside), '1612.5')
  assert.equal(await rate('USD', 'NGN', askOutside), '1612.5', 'nobody waits again within five seconds')
  assert.deepEqual(outside, ['exchange rates'])
  clock.ms = 66_000
  answer = says(good.replace('1612.5', '1613'))
  assert.equal(await rate('USD', 'NGN', askOutside), '1612.5', 'after a failure nobody waits for the next question')
  const isAnew = async () => {
    clock.ms += 5_000
    return (await rate('USD', 'NGN', askOutside)) === '1613'
  }
  await until(isAnew, 'the feed is asked beside the calls')
  assert.equal(outside.length, 1)
  answer = (response) => response.destroy()
  const readAt = clock.ms
  clock.ms = readAt + 61_000
  assert.equal(await rate('USD', 'NGN', askOutside), '1613')
  answer = says(good.replace('1612.5', '1614'))
  clock.ms = readAt + 400_000
  assert.equal(await rate('USD', 'NGN', askOutside), '1614', 'a failure long ago does not count')
})

test('an invalid answer of the feed is BAD_GATEWAY', async () => {
  const invalid: Record<string, Answer> = {
    'no JSON': says('<html>'),
    nothing: says(''),
    'no object': says('null'),
    'no rates': says('{"base":"USD"}'),
    'another base': says(good.replace('USD', 'EUR')),
    'too much': says(`{"base":"USD","rates":{},"x":"${'x'.repeat(300_000)}"}`),
    'a refused key': (response) => response.writeHead(401).end(good),
  }
  for (const [what, given] of Object.entries(invalid)) {
    answer = given
    await assert.rejects(feed().rate('USD', 'NGN'), refuses('BAD_GATEWAY'), what)
  }
})

test('a refusal of the feed keeps no connection open, whatever its body', { timeout: 60_000 }, async () => {
  for (const status of [401, 429, 503]) {
    let closed: Promise<unknown> = Promise.resolve()
    answer = (response) => {
      closed = once(response, 'close')
      response.writeHead(status).write('the body goes on')
    }
    await assert.rejects(feed({ timeoutMs: 60_000 }).rate('USD', 'NGN'), Refusal)
    await closed
  }
})

test('a rate that is missing, not a number or implausible is BAD_GATEWAY, and the others still work', async () => {
  const { rate } = feed()
  await assert.rejects(rate('USD', 'ZMW'), refuses('BAD_GATEWAY'))
  await assert.rejects(rate('USD', 'UGX'), refuses('BAD_GATEWAY'))
  await assert.rejects(rate('USD', 'KES'), refuses('BAD_GATEWAY')) // ten thousand times the real rate
  assert.equal(await rate('USD', 'EUR'), '0.9')
  for (const wrong of ['0', '-1', '1e3', 'null', '161250', '12.5']) {
    answer = says(good.replace('1612.5', wrong))
    await assert.rejects(feed().rate('USD', 'NGN'), refuses('BAD_GATEWAY'), wrong)
  }
})

test('an unavailable, slow or failing feed is SERVICE_UNAVAILABLE, and is not asked for five seconds', async () => {
  answer = () => undefined // never answers
  const slow = feed({ timeoutMs: 50 })
  await assert.rejects(slow.rate('USD', 'NGN'), refuses('SERVICE_UNAVAILABLE'))
  answer = says(good)
  slow.clock.ms = 4_999
  await assert.rejects(slow.rate('USD', 'NGN'), refuses('SERVICE_UNAVAILABLE'))
  assert.equal(requests.length, 1)
  slow.clock.ms = 5_000
  assert.equal(await slow.rate('USD', 'NGN'), '1612.5')

  answer = (response) => void response.write('{"base":') // and no more
  await assert.rejects(feed({ timeoutMs: 50 }).rate('USD', 'NGN'), refuses('SERVICE_UNAVAILABLE'))
  answer = (response) => response.writeHead(503).end()
  await assert.rejects(feed().rate('USD', 'NGN'), refuses('SERVICE_UNAVAILABLE'))
  answer = (response) => response.writeHead(302, { location: '/elsewhere' }).end()
  await assert.rejects(feed().rate('USD', 'NGN'), refuses('SERVICE_UNAVAILABLE'))
  await assert.rejects(feed({ url: 'http://127.0.0.1:1/' }).rate('USD', 'NGN'), refuses('SERVICE_UNAVAILABLE'))
})

test('cached rates are used while the feed is unavailable, for ten minutes at most', async () => {
  const { rate, clock, logged } = feed()
  await rate('USD', 'NGN')
  answer = (response) => response.destroy()
  clock.ms = 599_999
  assert.equal(await rate('USD', 'NGN'), '1612.5')
  clock.ms = 610_000
  await assert.rejects(rate('USD', 'NGN'), refuses('SERVICE_UNAVAILABLE'))
  assert.equal(logged.length, 2)
  assert.doesNotMatch(JSON.stringify(logged), /secret/)
})
