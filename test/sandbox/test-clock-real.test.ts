import assert from 'node:assert/strict'
import { test } from 'node:test'
import { housekeepingActivities } from '../../activities/housekeeping.ts'
import { assertError } from '../support/api.ts'
import { addPerson, createAccount, representative } from '../support/connected-account.ts'
import { beginOnClock, day, hour } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { addImage } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// An account on a test clock: what stays real.
const stack = await useStack({ workers: false })
const api = await useApi(stack)

/** A new organization whose clock stands so far ahead of the real time, or behind it. */
async function onClock(aheadMs: number) {
  const { merchant, accountId, attach } = await beginOnClock(api, {
    frozen_time: new Date(Date.now() + aheadMs).toISOString(),
  })
  await attach({ account_id: accountId })
  return { merchant, accountId }
}
const isNow = (at: number) => Math.abs(at - Date.now()) < hour

test('the log of calls has the calls of an account whose clock is weeks ahead', async () => {
  const { merchant } = await onClock(30 * day)
  const refused = await merchant.call('POST', '/v1/customers', { email: 'nobody' })
  const id = String(refused.headers.get('x-request-id'))
  const isRead = async () => (await merchant.call('GET', `/v1/request-logs/${id}`)).status === 200
  await until(isRead, 'the call can be read')
  const { items } = (await merchant.call('GET', '/v1/request-logs')).body as unknown as { items: object[] }
  assert.ok(items.length > 0)
})

test('an upload of an account whose clock is days behind is kept for a day of the real time', async () => {
  const { merchant } = await onClock(-5 * day)
  const purge = () => housekeepingActivities(stack.deps).purgeUploads(Date.now())
  const image = await addImage(merchant)
  await purge()
  const product = { name: 'Poster', price_type: 'free', currency: 'USD', images: [image] }
  const made = await merchant.call('POST', '/v1/products', product)
  assert.equal(made.status, 201, made.text)
  const path = `/v1/products/${String(made.body['product_id'])}`
  assert.equal((await merchant.call('PATCH', path, { images: [] })).status, 200)
  await purge()
  assert.equal((await merchant.call('PATCH', path, { images: [image] })).status, 200)
  await merchant.call('PATCH', '/v1/account', { logo: image })
  await merchant.call('PATCH', path, { images: [] })
  await merchant.call('PATCH', '/v1/account', { logo: null })
  await purge()
  assert.equal((await merchant.call('PATCH', path, { images: [image] })).status, 200)
})

test('the document of a person whose account’s clock is days behind is kept for a day of the real time', async () => {
  const { merchant } = await onClock(-5 * day)
  const purge = () => housekeepingActivities(stack.deps).purgeUploads(Date.now())
  const { account_id: id } = await createAccount(merchant)
  const image = await addImage(merchant)
  const path = `/v1/accounts/${id}/persons/${await addPerson(merchant, id, { ...representative, id_document: image })}`
  assert.equal((await merchant.call('PATCH', path, { id_document: null })).status, 200)
  await purge()
  assert.equal((await merchant.call('PATCH', path, { id_document: image })).status, 200)
  assert.equal((await merchant.call('DELETE', path)).status, 200)
  await purge()
  await addPerson(merchant, id, { ...representative, id_document: image })
})

test('NOT_FOUND: an event of an account whose clock is 100 days behind, once housekeeping has deleted it', async () => {
  const { merchant } = await onClock(-100 * day)
  const made = await merchant.call('POST', '/v1/test-helpers/events/trigger', { type: 'refund.paid' })
  const path = `/v1/webhooks/events/${String(made.body['id'])}`
  assert.equal((await merchant.call('GET', path)).status, 200)
  const { purgeOldRows } = housekeepingActivities(stack.deps)
  while (await purgeOldRows(Date.now()));
  assertError(await merchant.call('GET', path), 404, 'NOT_FOUND')
  assertError(await merchant.call('POST', `${path}/resend`, {}), 404, 'NOT_FOUND')
})

test('the audit log says when something was really done', async () => {
  for (const ahead of [-5 * day, 300 * day]) {
    const { merchant, accountId } = await onClock(ahead)
    await merchant.call('POST', '/v1/webhooks/endpoints', { url: 'https://example.com/hooks', events: ['*'] })
    const rows = await stack.sql<{ at: string }>('select at from audit_entries where account_id = ?', [accountId])
    assert.equal(rows.length, 1)
    assert.ok(isNow(Date.parse(String(rows[0]?.at))), `${ahead}`)
  }
})
