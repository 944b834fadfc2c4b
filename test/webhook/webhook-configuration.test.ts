import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfiguration, useWebhook } from '../../scripts/demo/webhook.ts'
import type { Session } from '../../scripts/infra/session.ts'
import { assertError, pageOf } from '../support/api.ts'
import { beginFailing, endpointsPath as path, taken, watcherSignals, withEndpoints } from '../support/endpoints.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The single-URL configuration, which is one of the endpoints.
const url = 'https://example.com/hooks'
const stack = await useStack({ workers: false })
const api = await useApi(stack)

/** A new merchant, whose events reach no endpoint of other tests. */
async function newMerchant() {
  const { merchant } = await api.addMerchant()
  return { merchant, ...withEndpoints(merchant) }
}

test('the single-URL configuration is an endpoint in the list, and a change of one shows in the other', async () => {
  const { merchant, read, change } = await newMerchant()
  await merchant.setWebhook(url)
  const [item] = pageOf(await merchant.call('GET', path)).items
  assert.partialDeepStrictEqual(item ?? {}, { url, is_configuration: true, enabled: true, events: ['*'] })
  const id = String(item?.['endpoint_id'])
  const shown = () => taken(merchant.call('GET', '/api/v1/notifications/webhooks/endpoint'))
  await change(id, { enabled: false })
  assert.partialDeepStrictEqual(await shown(), { webhook_url: url, is_active: false })
  await change(id, { enabled: true, url: `${url}/2` })
  assert.partialDeepStrictEqual(await shown(), { webhook_url: `${url}/2`, is_active: true })
  await merchant.setWebhook(null)
  const off = await read(id)
  assert.partialDeepStrictEqual(off, { url: null, enabled: false, disabled_reason: null })
  assert.equal(typeof off['disabled_at'], 'string')
  await merchant.setWebhook(url)
  assert.partialDeepStrictEqual(await read(id), { url, enabled: true, disabled_at: null })
})

test('CONFLICT: the configuration cannot be switched on while it has no URL', async () => {
  const { merchant, read, change } = await newMerchant()
  await merchant.setWebhook(null)
  const id = String(pageOf(await merchant.call('GET', path)).items[0]?.['endpoint_id'])
  assertError(await merchant.call('PATCH', `${path}/${id}`, { enabled: true }), 409, 'CONFLICT')
  assert.partialDeepStrictEqual(await read(id), { enabled: false, url: null })
  assert.partialDeepStrictEqual(await change(id, { enabled: true, url }), { enabled: true, url })
})

test('setting the configuration again keeps its run of failures; switching it off and on resets that', async () => {
  const { merchant, read } = await newMerchant()
  await merchant.setWebhook(url)
  const id = String(pageOf(await merchant.call('GET', path)).items[0]?.['endpoint_id'])
  await beginFailing(stack, id)
  await merchant.setWebhook(`${url}/2`)
  assert.equal(typeof (await read(id))['failing_since'], 'string')
  assert.deepEqual(await watcherSignals(stack, id), [])
  await merchant.setWebhook(null)
  assert.deepEqual(await watcherSignals(stack, id), ['disabled'])
  await merchant.setWebhook(url)
  assert.partialDeepStrictEqual(await read(id), { failing_since: null, warned_at: null, disabled_at: null })
})

test('the demo borrows the configured address, and leaves its secret, grace and switch as they were', async () => {
  const { merchant, read, change, secret } = await newMerchant()
  await merchant.setWebhook(url, 'the-first-one')
  const id = String(pageOf(await merchant.call('GET', path)).items[0]?.['endpoint_id'])
  await taken(merchant.call('POST', `${path}/${id}/secret/rotate`, { secret: 'the-second-one' }))
  const secrets = await secret(id)
  for (const enabled of [true, false]) {
    await change(id, { enabled })
    const before = await readConfiguration(merchant)
    assert.equal(before.secret, 'the-second-one')
    const undoing: Parameters<Session['atEnd']>[0][] = []
    const session = { atEnd: (undo: (typeof undoing)[number]) => void undoing.push(undo) }
    await useWebhook(session, merchant, before, `${url}/demo`, before.secret)
    assert.partialDeepStrictEqual(await read(id), { url: `${url}/demo`, enabled: true })
    assert.deepEqual(await secret(id), secrets)
    for (const undo of undoing) await undo()
    assert.partialDeepStrictEqual(await read(id), { url, enabled })
    assert.deepEqual(await secret(id), secrets)
  }
})
