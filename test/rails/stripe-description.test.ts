import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { stripeMock } from '../../scripts/infra/stripe-mock.ts'
import { newId } from '../../domain/id.ts'
import { documentPurposes, evidenceTextKeys } from '../../domain/dispute/evidence.ts'
import { checkProviders } from '../../rails/check-providers.ts'
import { openStatement } from '../../rails/open-statement.ts'
import { errorOf, useStripe } from '../support/stripe.ts'
import { use } from '../support/use.ts'

const stage = await useStripe()
const { double, rail, cardSetups, vault, at, chargeOrder, paid, refundOrder } = stage

const binary = await stripeMock()
const skip = binary === null && 'stripe-mock is built with Go, which is not on PATH'
const mock =
  binary === null
    ? null
    : await use(
        () => start(binary),
        (started) => started.stop(),
      )

/** Starts stripe-mock on a free port. */
async function start(file: string) {
  const child = spawn(file, ['-http-port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const port = await new Promise<string>((resolve, reject) => {
    const hear = (text: string) => {
      said += text
      const [, found] = /Listening for HTTP at address: .*:(\d+)/.exec(said) ?? []
      if (found) resolve(found)
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear)
    child.once('error', reject).once('close', () => reject(new Error(`stripe-mock has ended: ${said}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill()
      await once(child, 'close')
    },
  }
}

type Sent = Pick<(typeof double.requests)[number], 'method' | 'url' | 'body' | 'contentType'>

/** What stripe-mock says to a request; empty where Stripe's published description accepts it. */
async function complaintAbout({ method, url, body, contentType }: Sent): Promise<string> {
  const response = await fetch(`${mock?.url}${url}`, {
    method,
    headers: { authorization: 'Bearer sk_test_123', 'content-type': contentType },
    ...(method === 'POST' && { body }),
  })
  const text = await response.text()
  return response.status === 200 ? '' : `${method} ${url}: ${response.status} ${text}`
}

/** Makes the adapter send every request that it has, with everything that it can put into one. */
async function sendEverything(): Promise<void> {
  const order = await paid({ savesCard: true, statementText: 'ADA BOOKS' })
  const answer = await rail.lookUp(order.paymentId, at)
  const token = answer.status === 'succeeded' ? answer.saved?.token : undefined
  assert.ok(token)
  const { email, returnUrl } = order
  await cardSetups.chargeSaved({ ...order, paymentId: newId('pay', at), token, mayBeSentSince: at }, at)
  const securityCode = await vault.keepSecurityCode(double.saved.addSecurityCode())
  await paid({ token, securityCode })
  await vault.keepToken(double.addCard())
  const declined = chargeOrder({ token: double.addCard({ declines: 'generic_decline' }) })
  await rail.charge(declined, at)
  double.fail('POST /v1/payment_intents', 'cut')
  const lost = chargeOrder()
  await errorOf(rail.charge(lost, at))
  await rail.cancelCharge(lost.paymentId, at)
  const refund = refundOrder(order)
  await rail.refund(refund)
  await rail.lookUpRefund(refund.refundId)
  for (const behaviour of [{}, { declines: 'expired_card' }]) {
    const setup = { setupId: newId('pay', at), token: double.addCard(behaviour), email, returnUrl }
    double.fail('POST /v1/setup_intents', 'lost')
    const setting = { ...setup, environment: 'live', corridor: 'USD_CARD' } as const
    await errorOf(cardSetups.setUp(setting))
    await cardSetups.setUp(setting)
  }
  for (const act of ['submit', 'accept'] as const) await dispute(act)
  await askAround(order.paymentId, refund.refundId)
}

/** What the check of the providers asks, and a comparison with a list that has several pages. */
async function askAround(paymentId: string, refundId: string): Promise<void> {
  const access = { secretKey: stage.secretKey, url: double.url, livemode: true, callbackSecrets: [] }
  const providers = { stripe: { ...access, publishableKey: 'pk_live_1' }, paystack: null }
  await checkProviders(providers, 'https://pay.example.com')
  const { statement, close } = openStatement('stripe', providers, stage.database) ?? assert.fail()
  const day = { from: Date.now() - 86_400_000, to: Date.now() + 86_400_000 }
  double.tamper('GET /v1/charges', (body) => void (body['has_more'] = true))
  let lines = 0
  for await (const page of statement.pages(day)) lines += page.length
  assert.ok(lines > 5)
  const [raised] = double.books.all('dispute')
  const asked = { networkId: raised?.id ?? '', paymentId }
  await statement.find({ ...asked, kind: 'payment', id: paymentId })
  await statement.find({ ...asked, kind: 'refund', id: refundId })
  await statement.find({ ...asked, kind: 'dispute', id: 'dsp_1' })
  await close()
}

async function dispute(act: 'submit' | 'accept'): Promise<void> {
  const disputed = await paid({ token: double.addCard({ disputes: true }) })
  const answer = await rail.lookUp(disputed.paymentId, at)
  const [raised] = (answer.status === 'succeeded' && answer.disputes) || []
  const { paymentId } = disputed
  const about = { environment: 'live', networkId: raised?.id ?? '', paymentId, corridor: 'USD_CARD' } as const
  const order = { ...about, amount: '25.00', isRefunded: false }
  if (act === 'accept') return void (await rail.acceptDispute(order, at))
  const texts = Object.fromEntries(evidenceTextKeys.map((key) => [key, 'a text']))
  const read = async function* () {
    yield Buffer.from('%PDF-1.4')
  }
  const documents = documentPurposes.map((purpose) => ({
    purpose,
    fileName: `${purpose}.pdf`,
    contentType: 'application/pdf' as const,
    read,
  }))
  const given = { ...texts, duplicate_charge_id: paymentId }
  await rail.submitEvidence({ ...order, texts: given, ownTexts: evidenceTextKeys, documents }, at)
}

test('every request of the adapter is one that Stripe’s published description accepts', { skip }, async () => {
  await sendEverything()
  const sent = double.requests
  const calls = new Set(
    sent.map(({ method, path }) => `${method} ${path.replaceAll(/\/(pi|re|seti|du|pm|cvctok)_\w+/g, '/$1')}`),
  )
  assert.deepEqual([...calls].toSorted(), [
    'GET /v1/account',
    'GET /v1/balance',
    'GET /v1/charges',
    'GET /v1/disputes',
    'GET /v1/disputes/du',
    'GET /v1/payment_intents/pi',
    'GET /v1/payment_intents/search',
    'GET /v1/payment_methods/pm',
    'GET /v1/refunds',
    'GET /v1/refunds/re',
    'GET /v1/setup_intents',
    'GET /v1/setup_intents/seti',
    'GET /v1/tokens/cvctok',
    'GET /v1/webhook_endpoints',
    'POST /v1/customers',
    'POST /v1/disputes/du',
    'POST /v1/disputes/du/close',
    'POST /v1/files',
    'POST /v1/payment_intents',
    'POST /v1/payment_intents/pi/cancel',
    'POST /v1/refunds',
    'POST /v1/setup_intents',
    'POST /v1/setup_intents/seti/cancel',
  ])
  const complaints = await Promise.all(sent.map(complaintAbout))
  assert.deepEqual(complaints.filter(Boolean), [])
})

test('a request that the description does not accept is noticed', { skip }, async () => {
  const form = { method: 'POST', url: '/v1/refunds', contentType: 'application/x-www-form-urlencoded' }
  assert.match(await complaintAbout({ ...form, body: 'payment_intent=pi_1&amont=100' }), /400/)
  assert.match(await complaintAbout({ ...form, body: 'payment_intent=pi_1&amount=ten' }), /400/)
  assert.match(await complaintAbout({ ...form, url: '/v1/refundes', body: '' }), /404/)
})
