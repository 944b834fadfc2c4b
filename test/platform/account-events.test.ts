import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeAccount, createAccount } from '../support/connected-account.ts'
import { eventsPath, withEndpoints } from '../support/endpoints.ts'
import { pageOf } from '../support/api.ts'
import type { Merchant } from '../support/merchant.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'

// Who hears of a connected account: its platform, by the scope of its endpoints, and no other one.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { url } = await useReceiver()

const scopes = ['own', 'connected', 'all'] as const

/** A platform with an endpoint of each scope. */
async function addPlatform() {
  const { merchant, accountId } = await api.addMerchant()
  const endpoints = withEndpoints(merchant)
  const ids = new Map<string, string>()
  for (const account_scope of scopes) ids.set(account_scope, await endpoints.add({ url, account_scope }))
  return { merchant, accountId, endpoints, idOf: (scope: string) => ids.get(scope) ?? '' }
}

/** The types of the events that an endpoint got about a resource. */
async function heard(endpointId: string, resourceId: string): Promise<string[]> {
  const rows = await stack.sql<{ type: string }>(
    `select e.type from deliveries d join events e on e.id = d.event_id
     where d.endpoint_id = ? and e.resource_id = ? and d.trigger = 'automatic' order by e.sequence`,
    [endpointId, resourceId],
  )
  return rows.map(({ type }) => type)
}

const bodiesOf = async (resourceId: string) =>
  (
    await stack.sql<{ body: string }>('select body from events where resource_id = ? order by sequence', [resourceId])
  ).map(({ body }) => JSON.parse(body) as Record<string, unknown>)

test('of two platforms each hears of its own accounts, by its endpoints’ scopes, with the account’s id', async () => {
  const [one, other] = [await addPlatform(), await addPlatform()]
  const { account_id: id } = await createAccount(one.merchant)
  await changeAccount(one.merchant, id, { email: 'seller@example.com' })
  const all = ['account.updated', 'account.updated']
  const told = (types: string[]) => types.filter((type) => type === 'account.updated')
  assert.deepEqual(told(await heard(one.idOf('own'), id)), [])
  assert.deepEqual(told(await heard(one.idOf('connected'), id)), all)
  assert.deepEqual(told(await heard(one.idOf('all'), id)), all)
  for (const scope of scopes) assert.deepEqual(await heard(other.idOf(scope), id), [])
  for (const body of await bodiesOf(id)) assert.equal(body['account_id'], id)
  const capability = (await bodiesOf(id)).find(({ type }) => type === 'capability.updated')
  assert.match(JSON.stringify(capability), new RegExp(`"data":{"account_id":"${id}"`))
})

test('a scope that is changed counts from then on, and a recovery sends what the new scope includes', async () => {
  const { merchant, endpoints, idOf } = await addPlatform()
  const since = new Date((await stack.clock.now()) - 1_000).toISOString()
  const { account_id: id } = await createAccount(merchant)
  const endpoint = idOf('own')
  assert.deepEqual(await heard(endpoint, id), [])
  assert.equal((await endpoints.change(endpoint, { account_scope: 'connected' }))['account_scope'], 'connected')
  await changeAccount(merchant, id, { email: 'one@example.com' })
  assert.deepEqual(await heard(endpoint, id), ['account.updated'])
  await endpoints.change(endpoint, { account_scope: 'own' })
  await changeAccount(merchant, id, { email: 'two@example.com' })
  assert.deepEqual(await heard(endpoint, id), ['account.updated'])
  await endpoints.change(endpoint, { account_scope: 'all' })
  const recovery = await merchant.call('POST', `/v1/webhooks/endpoints/${endpoint}/recover`, { since })
  assert.ok(recovery.status < 300, recovery.text)
  const recoveryId = String(recovery.body['recovery_id'])
  await stack.dispatched()
  await stack.finished('webhook-recovery', recoveryId)
  const [counted] = await stack.sql<{ missed: string; all: string }>(
    `select (select count(*) from events where resource_id = ?) as all,
       (select count(distinct event_id) from deliveries where endpoint_id = ?) as missed`,
    [id, endpoint],
  )
  assert.equal(counted?.missed, counted?.all)
})

test('the platform sends an event of its account again; another platform has no such event', async () => {
  const [one, other] = [await addPlatform(), await addPlatform()]
  const { account_id: id } = await createAccount(one.merchant)
  const [event] = await stack.sql<{ id: string }>(
    `select id from events where resource_id = ? and type = 'account.updated'`,
    [id],
  )
  const resend = (by: Merchant) => by.call('POST', `${eventsPath}/${event?.id}/resend`, {})
  const sent = await resend(one.merchant)
  assert.equal(sent.status, 200, sent.text)
  const endpoints = (sent.body['deliveries'] as unknown as { endpoint_id: string }[]).map((each) => each.endpoint_id)
  assert.deepEqual(endpoints.toSorted(), [one.idOf('connected'), one.idOf('all')].toSorted())
  assert.equal((await resend(other.merchant)).status, 404)
  // The account's own list has it, which its platform reads for it.
  const acting = { 'x-account-id': id }
  const { items } = pageOf(await one.merchant.call('GET', `${eventsPath}?resource_id=${id}`, undefined, acting))
  assert.ok(items.some((item) => item['event_id'] === event?.id || item['id'] === event?.id))
})
