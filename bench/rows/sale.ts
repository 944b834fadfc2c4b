import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anyAddress } from '../../test/support/any-address.ts'
import { compared, type Figure } from '../figure.ts'
import { runBareSale } from '../floor/engine.ts'
import { type Caller, createCaller, rounds, sustain } from '../load.ts'
import type { Shop, Testbed } from '../testbed.ts'
import { createCheckout, type Session } from './checkout.ts'

const ROUNDS = 2
const IN_FLIGHT = 50
/** With fifty in flight on two cores a sale takes many seconds, so sales are counted once the first have ended. */
const TIMES = { warmMs: 12_000, countMs: 24_000 }
const EVENTS_OF_A_SALE = 2
const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' }
const payment = { payment_method: 'USD_CARD', card, confirm: true, customer_details: { email: 'ada@example.com' } }

/** A receiver that answers at once, and reports the session of each event. */
export async function startReceiver(onEvent: (checkoutId: string | null) => void) {
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      response.end()
      const { data } = JSON.parse(text) as { data: { checkout_id: string | null } }
      onEvent(data.checkout_id)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Sends the shop's events to an address; null switches delivery off. */
export async function setWebhook(caller: Caller, { apiKey }: Pick<Shop, 'apiKey'>, url: string | null): Promise<void> {
  const body = { webhook_url: url, webhook_secret: 'a-bench-secret' }
  const headers = { authorization: `Bearer ${apiKey}` }
  await caller.call({ method: 'PUT', path: '/api/v1/notifications/webhooks/configuration', headers, body })
}

/** Pays a session. Each buyer has an IP address of their own, as behind a proxy: limits are counted by address. */
async function pay(caller: Caller, { checkout_id, client_secret }: Session): Promise<void> {
  const headers = { authorization: `Bearer ${client_secret}`, 'x-forwarded-for': anyAddress() }
  const answer = await caller.call({
    method: 'POST',
    path: `/v1/checkout-sessions/${checkout_id}/pay`,
    headers,
    body: payment,
  })
  // Under load the answer may come before the end of the payment, which the events report.
  const { payment_status } = JSON.parse(answer) as { payment_status: string }
  if (payment_status === 'failed') throw new Error('a good card has failed')
}

/** Sales from end to end: created, paid and booked. A sale is complete when both of its events have arrived. */
export async function openSales({ shop }: { shop: Pick<Shop, 'url' | 'apiKey'> }) {
  const waiting = new Map<string, { left: number; complete: () => void }>()
  const receiver = await startReceiver((id) => {
    const sale = waiting.get(id ?? '')
    if (!sale || (sale.left -= 1) > 0) return
    waiting.delete(id ?? '')
    sale.complete()
  })
  const caller = createCaller(shop.url, IN_FLIGHT)
  await setWebhook(caller, shop, receiver.url)
  return {
    async sell() {
      const session = await createCheckout(caller, shop)
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.set(session.checkout_id, { left: EVENTS_OF_A_SALE, complete: resolve })
      await pay(caller, session)
      await promise
    },
    async close() {
      await setWebhook(caller, shop, null)
      await caller.close()
      receiver.close()
    },
  }
}

export async function measureSale(testbed: Testbed): Promise<Figure[]> {
  const { sell, close } = await openSales(testbed)
  const pairs = await rounds(
    ROUNDS,
    () => sustain(IN_FLIGHT, TIMES, () => runBareSale(testbed.client)),
    async () => {
      const perSecond = await sustain(IN_FLIGHT, TIMES, sell)
      await testbed.untilQuiet()
      return perSecond
    },
  )
  await close()
  const row = `sale end to end, ${IN_FLIGHT} in flight`
  return [compared({ row, measure: 'throughput', unit: '/s', bar: 0.6, goal: 0.9, better: 'higher' }, pairs)]
}
