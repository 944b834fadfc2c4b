import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, negate, subtract } from '../../domain/money.ts'
import {
  addDocument,
  addPerson,
  changeAccount,
  company,
  readAccount,
  representative,
  stated,
} from '../support/connected-account.ts'
import { type Answer, follow, type Made } from '../support/follow.ts'
import { pastedFrom } from '../support/guide.ts'
import { type Merchant, transferSale } from '../support/merchant.ts'
import { beginOnClock } from '../support/test-clock.ts'
import { addImage } from '../support/upload.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Sends the calls of docs/recipes as they are pasted, in their order, and waits where the recipe says so.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

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
  const shop = await api.addMerchant()
  await follow(shop, 'recipes/marketplace', {
    after: {
      'POST /v1/accounts/…/onboarding-link': provide,
      'POST /v1/test-helpers/checkout-sessions/…/pay': received('transfer.created'),
      'GET /v1/balances': ({ answer }) => void shares.push(itemsOf(answer)[0]?.['available']),
      'POST /api/v1/payments/refunds': received('transfer.reversed'),
      'POST /v1/payouts/destinations': usable,
      'POST /v1/payouts': ({ merchant, call }) => received('payout.paid', call.headers)({ merchant }),
    },
  })
  assert.deepEqual(shares, ['8500.00'])
})

test('a subscription: its card is declined, another one pays, and it ends', async () => {
  const statuses: unknown[] = []
  const shop = await api.addMerchant()
  await follow(shop, 'recipes/subscription', {
    after: {
      'GET /v1/subscriptions/…': ({ answer }) => void statuses.push(answer['status']),
      'PATCH /v1/subscriptions/…': received('invoice.paid'),
    },
  })
  assert.deepEqual(statuses, ['past_due'])
  await received('customer.subscription.canceled')(shop)
})

test('naira by transfer: too little arrives, then the rest, and it is paid out', async () => {
  const statuses: unknown[] = []
  await follow(await api.addMerchant(), 'recipes/ngn-transfer', {
    after: {
      'POST /v1/test-helpers/checkout-sessions/…/pay': received('collection.underpaid'),
      'GET /v1/payments?status=underpaid': ({ answer }) => void statuses.push(itemsOf(answer).length),
      'POST /v1/test-helpers/payments/…/deposit': received('checkout.completed'),
      'GET /v1/payments/…': ({ answer }) => void statuses.push(answer['status']),
      'POST /v1/payouts/destinations': usable,
      'POST /v1/payouts': received('payout.paid'),
    },
  })
  assert.deepEqual(statuses, [1, 'succeeded'])
})

test('reconciliation: the transactions of a day add up to the difference of its balances, to the instant', async () => {
  const [begin, end, moved] = pastedFrom('recipes/reconciliation', (text) => text).map((pasted) => pasted().path)
  const momentOf = (path = '') => new URL(path, stack.baseUrl).searchParams.get('at') ?? ''
  const { merchant, accountId, attach, advance } = await beginOnClock(api, { frozen_time: momentOf(begin) })
  await attach({ account_id: accountId })
  const sell = (amount: string) => merchant.chargeByTransfer({ ...transferSale, amount })
  await sell('1000.00')
  await advance({ by: 'PT1H' })
  await sell('2000.00')
  await advance({ to: momentOf(end) })
  await sell('4000.00')
  await advance({ by: 'PT5M' })
  await sell('8000.00')
  const read = async (path = '') => (await merchant.call('GET', path)).body['items'] as unknown as Answer[]
  const sumOf = (amounts: unknown[]) => amounts.reduce<string>((sum, amount) => add(sum, String(amount)), '0')
  const worthOf = (balances: Answer[]) =>
    sumOf(balances.flatMap(({ available, pending, owed }) => [available, pending, negate(String(owed))]))
  const day = await read(moved)
  assert.equal(day.length, 2)
  const difference = subtract(worthOf(await read(end)), worthOf(await read(begin)))
  assert.equal(Number(sumOf(day.map(({ amount }) => amount))), Number(difference))
})

test('reconciliation: the transactions of a payment, and a recovery', async () => {
  const found: unknown[] = []
  await follow(await api.addMerchant(), 'recipes/reconciliation', {
    prepare: (merchant) => merchant.chargeByCard(),
    after: { 'GET /v1/payments/…': ({ answer }) => void found.push(answer['status']) },
  })
  assert.deepEqual(found, ['succeeded'])
})
