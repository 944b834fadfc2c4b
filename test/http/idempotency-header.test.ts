import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Operation } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { newId } from '../../domain/id.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { addOnboardingToken } from '../support/connected-account.ts'
import { addToken } from '../support/portal.ts'
import { fillPath, make } from '../support/resource.ts'
import { routes } from '../support/resources.ts'
import { addDestination } from '../support/payout.ts'
import { addInvitation } from '../support/team.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// The header `Idempotency-Key` itself: where it is checked, and the answer to a wrong one.
const stack = await useStack()
const api = await useApi(stack)
const owner = await addUser(stack, { accountId: stack.organizationId, role: 'owner' })
/** A person of the staff, who may make 100 calls a minute: there are more operations than that. */
const reviewer = () => addUser(stack, { accountId: null, role: 'reviewer' })

const customer = { accountId: stack.organizationId, environment: 'sandbox' as const }
const customerId = await make(stack.merchant, '/v1/customers', { email: 'portal@example.com' }, 'customer_id')
const customerToken = await addToken(stack, { ...customer, customerId })

const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`
const taking = operations.filter(({ method }) => method === 'post' || method === 'patch')

/** A credential that the operation takes. */
async function credentialFor({ auth, forStaff }: Operation): Promise<Record<string, string>> {
  if (auth.includes('apiKey')) return {}
  if (auth.includes('customerToken')) return bearer(customerToken)
  if (auth.includes('onboardingToken')) return bearer(await addOnboardingToken(stack, stack.organizationId))
  if (auth.includes('invitationToken'))
    return bearer((await addInvitation(stack, { accountId: stack.organizationId })).token)
  if (auth.includes('clientSecret')) return bearer((await stack.merchant.createCheckout()).client_secret)
  return auth.includes('none') ? { authorization: '' } : bearer(await (forStaff ? await reviewer() : owner).token())
}

async function send(operation: Operation, key: string) {
  const { body, type } = routes[nameOf(operation)] ?? {}
  const path = fillPath(operation.path, newId('chk', Date.now()), newId('acct', Date.now()))
  return stack.merchant.call(operation.method.toUpperCase(), path, body ?? {}, {
    ...fromAnywhere(),
    ...(await credentialFor(operation)),
    ...(type && { 'content-type': type }),
    'idempotency-key': key,
  })
}

const wrong: Record<string, string> = {
  ['k'.repeat(256)]: 'value_error.range',
  ['']: 'value_error.format',
  ['caf\u00e9']: 'value_error.format',
  ['a\tb']: 'value_error.format',
}

test('the Idempotency-Key is checked on every POST and PATCH', async () => {
  assert.ok(taking.length > 40)
  for (const operation of taking) {
    for (const [key, type] of Object.entries(wrong)) {
      const errors = assertError(await send(operation, key), 400, 'VALIDATION_ERROR')
      const found = errors.find(({ field }) => field === 'Idempotency-Key')
      assert.equal(found?.type, type, `${nameOf(operation)} ${JSON.stringify(errors)}`)
      assert.ok(key.length < 2 || !JSON.stringify(errors).includes(key))
    }
  }
})

test('a key of 1 to 255 characters is accepted everywhere, also where it has no effect', async () => {
  for (const operation of taking) {
    for (const key of ['1', `${randomUUID()} ~!`.padEnd(255, 'x')]) {
      const { text } = await send(operation, key)
      assert.ok(!text.includes('"Idempotency-Key"'), `${nameOf(operation)}: ${text}`)
    }
  }
})

test('PUT and DELETE, which are safe to repeat, ignore a key', async () => {
  for (const operation of operations.filter(({ method }) => method === 'put' || method === 'delete')) {
    const { text } = await send(operation, '')
    assert.ok(!text.includes('"Idempotency-Key"'), nameOf(operation))
  }
})

test('a repeated estimate gets the same bytes too, and its key belongs to one body', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const destination = await addDestination(stack, { accountId, environment: 'sandbox' })
  const estimate = (key: string, amount = '1000.00') =>
    merchant.call('POST', '/v1/payouts/estimate', { destination, amount }, { 'idempotency-key': key })
  const first = await estimate('once')
  assert.equal(first.status, 200, first.text)
  const again = await estimate('once')
  assert.deepEqual([again.status, again.text], [200, first.text])
  assert.deepEqual(
    [first, again].map(({ headers }) => headers.get('idempotent-replayed')),
    [null, 'true'],
  )
  const [error] = assertError(await estimate('once', '2000.00'), 409, 'CONFLICT')
  assert.equal(error?.code, 'idempotency_key_reused')
  const other = await api.addMerchant()
  const theirs = await other.merchant.call(
    'POST',
    '/v1/payouts/estimate',
    { destination, amount: '1000.00' },
    {
      'idempotency-key': 'once',
    },
  )
  assertError(theirs, 404, 'NOT_FOUND')
})
