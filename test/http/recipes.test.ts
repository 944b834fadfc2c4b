import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addDocument,
  addPerson,
  changeAccount,
  company,
  readAccount,
  representative,
  stated,
} from '../support/connected-account.ts'
import { createIds, pastedFrom, type PastedCall } from '../support/guide.ts'
import type { Merchant } from '../support/merchant.ts'
import { addImage } from '../support/upload.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Sends the calls of docs/recipes as they are pasted, in their order, and waits where the recipe says so.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

type Answer = Record<string, unknown>
type Made = { answer: Answer; merchant: Merchant; call: PastedCall }
/** What is done or must hold after a call, by its method and path. */
type Then = Record<string, (made: Made) => Promise<unknown> | void>

async function follow(
  recipe: string,
  then: Then,
  prepare: (merchant: Merchant) => Promise<unknown> = async () => null,
) {
  const { key, accountId, merchant } = await api.addMerchant()
  await prepare(merchant)
  const { learn, filled } = createIds(accountId)
  const waiting = new Set(Object.keys(then))
  for (const pasted of pastedFrom(`recipes/${recipe}`, filled)) {
    const call = pasted()
    const { method, path, type, body } = call
    const headers = { ...call.headers, authorization: `Bearer ${key}`, ...(body && { 'content-type': type }) }
    const reply = await fetch(stack.baseUrl + path, { method, headers, ...(body && { body }) })
    const text = await reply.text()
    const name = `${method} ${path.replaceAll(/[a-z]+_[0-9a-z]{34}/g, '…')}`
    assert.ok(reply.status < 300, `${name}: ${reply.status} ${text}\n${body}`)
    learn(text)
    await then[name]?.({ answer: JSON.parse(text) as Answer, merchant, call })
    waiting.delete(name)
  }
  assert.deepEqual([...waiting], [], 'calls that the recipe does not have')
  return { merchant }
}

/** Waits for an event of this type, which the merchant or the account it acts for has received. */
const received =
  (type: string, headers: Record<string, string> = {}) =>
  ({ merchant }: { merchant: Merchant }) =>
    until(async () => {
      const { body } = await merchant.call('GET', `/v1/webhooks/events?type=${type}`, undefined, headers)
      return (body['items'] as unknown as unknown[]).length > 0
    }, type)

/** Waits until a payout destination may be paid to. */
const usable = ({ answer, merchant, call }: Made) =>
  until(async () => {
    const path = `/v1/payouts/destinations/${String(answer['id'])}`
    const { body } = await merchant.call('GET', path, undefined, call.headers)
    return (body['is_usable'] as unknown) === true
  }, 'the destination is approved')

const itemsOf = ({ items }: Answer) => items as Answer[]

/** What the seller provides on the page, and the decision. */
async function provide({ merchant, call }: Made): Promise<void> {
  const id = /acct_\w+/.exec(call.path)?.[0] ?? ''
  await changeAccount(merchant, id, { ...stated, company })
  await addPerson(merchant, id, { ...representative, id_document: await addImage(merchant) })
  await addDocument(merchant, id, 'company.certificate_of_incorporation')
  await until(async () => (await readAccount(merchant, id)).status === 'active', 'the seller is approved')
}

test('a marketplace: a sale is shared, part of it comes back, and the seller is paid out', async () => {
  const shares: unknown[] = []
  await follow('marketplace', {
    'POST /v1/accounts/…/onboarding-link': provide,
    'POST /v1/test-helpers/checkout-sessions/…/pay': received('transfer.created'),
    'GET /v1/balances': ({ answer }) => void shares.push(itemsOf(answer)[0]?.['available']),
    'POST /api/v1/payments/refunds': received('transfer.reversed'),
    'POST /v1/payouts/destinations': usable,
    'POST /v1/payouts': ({ merchant, call }) => received('payout.paid', call.headers)({ merchant }),
  })
  assert.deepEqual(shares, ['8500.00'])
})

test('a subscription: its card is declined, another one pays, and it ends', async () => {
  const statuses: unknown[] = []
  const { merchant } = await follow('subscription', {
    'GET /v1/subscriptions/…': ({ answer }) => void statuses.push(answer['status']),
    'PATCH /v1/subscriptions/…': received('invoice.paid'),
  })
  assert.deepEqual(statuses, ['past_due'])
  await received('customer.subscription.canceled')({ merchant })
})

test('naira by transfer: too little arrives, then the rest, and it is paid out', async () => {
  const statuses: unknown[] = []
  await follow('ngn-transfer', {
    'POST /v1/test-helpers/checkout-sessions/…/pay': received('collection.underpaid'),
    'GET /v1/payments?status=underpaid': ({ answer }) => void statuses.push(itemsOf(answer).length),
    'POST /v1/test-helpers/payments/…/deposit': received('checkout.completed'),
    'GET /v1/payments/…': ({ answer }) => void statuses.push(answer['status']),
    'POST /v1/payouts/destinations': usable,
    'POST /v1/payouts': received('payout.paid'),
  })
  assert.deepEqual(statuses, [1, 'succeeded'])
})

test('reconciliation: the transactions of a payment, and a recovery', async () => {
  const found: unknown[] = []
  await follow(
    'reconciliation',
    { 'GET /v1/payments/…': ({ answer }) => void found.push(answer['status']) },
    (merchant) => merchant.chargeByCard(),
  )
  assert.deepEqual(found, ['succeeded'])
})
