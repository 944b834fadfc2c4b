import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf } from '../support/api.ts'
import { pastedFrom } from '../support/guide.ts'
import type { Merchant } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

/** The prefix of the ids that a variable of the guides stands for. */
const variables: Record<string, string> = { CHECKOUT: 'chk', CLOCK: 'clk', SUB: 'sub' }

/** After a month on the clock: what the guide says that has happened, and that endpoints receive. */
async function assertRenewed(merchant: Merchant, advanced: string): Promise<void> {
  for (const prefix of ['inv', 'pay', 'sub']) assert.match(advanced, new RegExp(`"resource_id":"${prefix}_`))
  const { items } = pageOf(await merchant.call('GET', '/v1/webhooks/events'))
  const told = items.map(({ type }) => String(type))
  for (const type of ['collection.succeeded', 'invoice.paid', ...['trial_will_end', 'renewed'].map(ofSubscription)]) {
    assert.ok(told.includes(type), `${type} is missing: ${told.join(', ')}`)
  }
}
const ofSubscription = (what: string) => `customer.subscription.${what}`

for (const guide of ['subscriptions', 'test-clocks']) {
  test(`the calls of the guide ${guide} work as pasted, in their order`, async () => {
    const { key, merchant } = await api.addMerchant()
    const ids: Record<string, string> = {}
    const learn = (text: string) => {
      for (const [id, prefix = ''] of text.matchAll(/\b([a-z]+)_[0-9a-z]{34}\b/g)) ids[prefix] = id
    }
    const filled = (text: string) =>
      text
        .replaceAll(/\$([A-Z]+)/g, (_, name: string) => ids[variables[name] ?? ''] ?? name)
        .replaceAll(/\b([a-z]+)_…/g, (whole, prefix: string) => ids[prefix] ?? whole)
    if (guide === 'test-clocks') learn((await merchant.createCheckout()).checkout_id)
    const answers: string[] = []
    for (const call of pastedFrom(guide, filled)) {
      const { method, path, type, body } = call()
      const headers = { authorization: `Bearer ${key}`, 'content-type': type }
      const reply = await fetch(stack.baseUrl + path, { method, headers, ...(body !== undefined && { body }) })
      const text = await reply.text()
      answers.push(`${reply.status} ${method} ${path.replaceAll(/[a-z]+_[0-9a-z]{34}/g, '…')}`)
      assert.ok(reply.status < 300 || path.endsWith('/retry-payment'), `${answers.at(-1)}: ${text}`)
      learn(text)
      if (guide === 'subscriptions' && path.endsWith('/advance')) await assertRenewed(merchant, text)
    }
    assert.ok(answers.length >= 3, answers.join('\n'))
  })
}
