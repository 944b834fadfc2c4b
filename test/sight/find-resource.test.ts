import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { findables } from '../../db/sight/findable.ts'
import { type IdPrefix, idPrefixes, newId } from '../../domain/id.ts'
import { FoundResource } from '../../schemas/sight/found.ts'
import { assertError } from '../support/api.ts'
import { callAs, leftOpen, register } from '../support/destination.ts'
import { makePayment } from '../support/resource.ts'
import { makers } from '../support/resources.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// Staff find a resource of any kind, of any account, by its id.
const stack = await useStack()
const api = await useApi(stack)
const ada = await addUser(stack, { accountId: null, role: 'reviewer' })
const other = await api.addMerchant()
const live = await api.addKey({ accountId: other.accountId, environment: 'live' })
const owner = { accountId: other.accountId, keys: { sandbox: other, live } }

const find = (id: string) => callAs(stack.merchant, ada, 'GET', `/api/v1/admin/resources/${encodeURIComponent(id)}`)

/** Prefixes of what has nothing to see: logins, tokens, mails, calls, decisions that their review shows. */
const hidden: readonly IdPrefix[] = ['call', 'chal', 'cs', 'mail', 'os', 'req', 'ses', 'rvd']

test('every kind of id can be found, except those of logins, tokens, mails and calls', () => {
  const found = new Set<string | null>(findables.map(({ prefix }) => prefix))
  const missing = Object.keys(idPrefixes).filter((prefix) => !found.has(prefix))
  assert.deepEqual(missing.toSorted(), [...hidden].toSorted())
})

// Makers under these names make texts by which pages are opened, and not ids.
const noIds = ['resource_id', 'page_key', 'slug']
const made = Object.entries(makers).filter(([name, { prefix }]) => !noIds.includes(name) && !hidden.includes(prefix))
for (const [name, maker] of made) {
  test(`a ${name} of another account is found, with its account and nothing that its kind does not name`, async () => {
    const { id } = await maker.make(stack, owner, 'sandbox')
    const { status, body } = await find(id)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(Compile(FoundResource).Check(body), JSON.stringify(body))
    assert.equal(body['resource_id'], id)
    const [account] = await stack.sql<{ name: string }>('select name from accounts where id = ?', [body['account_id']])
    assert.equal(body['account_name'], account?.name)
    assert.doesNotMatch(JSON.stringify(body), /@|hash|secret|encrypted|sealed/)
  })
}

test('a payment and a payout share a prefix, and each is found as what it is', async () => {
  const payment = await makePayment(stack, owner, 'live')
  const payout = await makers['payout_id']?.make(stack, owner, 'sandbox')
  const found = await Promise.all([find(payment), find(payout?.id ?? '')])
  assert.deepEqual(
    found.map(({ body }) => [body['resource'], body['environment'], body['amount'], body['currency']]),
    [
      ['payment', 'live', '10.00', 'USD'],
      ['payout', 'sandbox', '10.00', 'USD'],
    ],
  )
  const related = found[1]?.body['related'] as unknown as { name: string; id: string }[]
  assert.match(related.find(({ name }) => name === 'destination_id')?.id ?? '', /^pd_/)
})

test('what has a timeline and a process says so, and a review names what it is about', async () => {
  const destination = await register(other.merchant, 'NGN', leftOpen)
  const { body } = await find(destination.id)
  assert.equal(body['has_timeline'], true)
  const process = body['process'] as unknown as { workflow_id: string }
  assert.match(process.workflow_id, new RegExp(`/${destination.id}$`))
  const [row] = await stack.sql<{ id: string }>('select id from reviews where resource_id = ?', [destination.id])
  const review = (await find(row?.id ?? '')).body
  assert.deepEqual(
    [review['resource'], review['status'], review['has_timeline'], review['process'], review['related']],
    ['review', 'open', false, null, [{ name: 'resource_id', id: destination.id }]],
  )
})

test('NOT_FOUND: an id that does not exist, of no kind or of none that staff see', async () => {
  const wrong = [
    newId('pay', 0),
    'pay_',
    'nonsense',
    'constructor_1',
    '../reviews',
    "x'y",
    `${ada.id}x`,
    'acct_x/live/USD',
  ]
  wrong.push(newId('ses', 0), newId('mail', 0))
  for (const id of wrong) assertError(await find(id), 404, 'NOT_FOUND')
})

test('FORBIDDEN: people of an organization find nothing, not even their own', async () => {
  const owns = await addUser(stack, { accountId: other.accountId, role: 'owner' })
  const path = `/api/v1/admin/resources/${other.accountId}`
  assertError(await callAs(stack.merchant, owns, 'GET', path), 403, 'FORBIDDEN')
})
