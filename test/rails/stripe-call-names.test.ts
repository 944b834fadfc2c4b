import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createLine, type RailCall } from '../../rails/line.ts'
import { connectToStripe } from '../../rails/stripe/connection.ts'

test('a request to Stripe is noted by its path without ids: payments, setups and cards have their own', async (t) => {
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"any"}'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const calls: RailCall[] = []
  const line = createLine('stripe', { note: (call) => void calls.push(call) })
  const { api, close } = connectToStripe({ secretKey: 'sk_live_any', address }, line)
  t.after(async () => {
    await close()
    server.close()
  })

  await api.paymentIntents.create({ amount: 100, currency: 'usd' })
  await api.paymentIntents.retrieve('pi_3MtwBwLkdIwHu7ix28a3tqPA')
  await api.paymentIntents.cancel('pi_3MtwBwLkdIwHu7ix28a3tqPA')
  await api.paymentIntents.search({ query: "metadata['steadypay_id']:'pay_1'" })
  await api.setupIntents.retrieve('seti_1Mm8s8LkdIwHu7ix0OXBfTRG')
  await api.paymentMethods.retrieve('pm_1MqLiJLkdIwHu7ixUEgbFdYF')
  await api.refunds.retrieve('re_1Nispe2eZvKYlo2Cd31jOCgZ')
  await api.disputes.close('du_1MtJUT2eZvKYlo2CNaw2HvEv')
  assert.deepEqual(
    calls.map(({ call }) => call),
    [
      'POST /v1/payment_intents',
      'GET /v1/payment_intents/…',
      'POST /v1/payment_intents/…/cancel',
      'GET /v1/payment_intents/search',
      'GET /v1/setup_intents/…',
      'GET /v1/payment_methods/…',
      'GET /v1/refunds/…',
      'POST /v1/disputes/…/close',
    ],
  )
})
