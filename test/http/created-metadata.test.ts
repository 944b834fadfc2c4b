import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../api/operations.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { newProduct } from '../support/cart.ts'
import { addDestination } from '../support/payout.ts'
import { addPlatform } from '../support/platform.ts'
import { make } from '../support/resource.ts'
import { routes } from '../support/resources.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What is created has metadata by the rule of every change: an empty text removes its key, so it is never stored.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const { platform, seller } = await addPlatform(api)
const { merchant, accountId } = platform
await endow(stack, accountId, '1000.00')

const transfer = { destination: seller.accountId, amount: '1.00', currency: 'USD' }

type Request = { path?: string; body: object }

/** What creates a resource, where the smallest valid body does not: its ids have to be those of our own. */
const requests: Record<string, () => Promise<Request>> = {
  '/v1/product-groups': async () => ({ body: { name: 'A group', products: [await newProduct(merchant)] } }),
  '/v1/payouts': async () => {
    const owner = { accountId, environment: 'sandbox' as const }
    const destination = await addDestination(stack, owner, { currency: 'USD', scheme: 'ach' })
    return { body: { destination, amount: '10.00' } }
  },
  '/v1/conversions': async () => ({ body: { quote_id: (await exchanging(merchant).quote()).quote_id } }),
  '/v1/transfers': async () => ({ body: transfer }),
  '/v1/transfers/{transfer_id}/reversals': async () => {
    const id = await make(merchant, '/v1/transfers', transfer, 'transfer_id')
    return { path: `/v1/transfers/${id}/reversals`, body: {} }
  },
}

const creating = operations.filter(({ method, body }) => {
  const { properties = {} } = (body ?? {}) as { properties?: object }
  return method === 'post' && 'metadata' in properties
})

test('many operations create something with metadata', () => {
  assert.ok(creating.length >= 10, String(creating.length))
  const known = creating.map(({ path }) => path)
  assert.deepEqual(
    Object.keys(requests).filter((path) => !known.includes(path)),
    [],
  )
})

for (const { path } of creating) {
  test(`POST ${path} stores no key of metadata with an empty text`, async () => {
    const smallest = routes[`POST ${path}`]?.body as object
    const request = (await requests[path]?.()) ?? { body: smallest }
    const body = { ...request.body, metadata: { kept: ' ', removed: '' } }
    const { status, text, body: made } = await merchant.call('POST', request.path ?? path, body)
    assert.equal(status, 201, text)
    assert.deepEqual(made['metadata'], { kept: ' ' })
  })
}

test('a key of metadata has at most 40 characters, whatever script they are of', async () => {
  const [longest, tooLong] = ['😀'.repeat(40), '😀'.repeat(41)] // each is two units of UTF-16
  const { status, body: made } = await merchant.call('POST', '/v1/customers', {
    email: 'faces@example.com',
    metadata: { [longest]: 'made' },
  })
  assert.equal(status, 201)
  assert.deepEqual(made['metadata'], { [longest]: 'made' })
  const path = `/v1/customers/${String(made['customer_id'])}`
  const change = (metadata: object) => merchant.call('PATCH', path, { metadata })
  assert.deepEqual((await change({ [longest]: 'changed' })).body['metadata'], { [longest]: 'changed' })
  assert.equal((await change({ [tooLong]: 'x' })).status, 400)
})
