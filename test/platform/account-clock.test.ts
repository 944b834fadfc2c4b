import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf } from '../support/api.ts'
import {
  addDocument,
  addPerson,
  completeAccount,
  createAccount,
  personPath,
  readAccount,
} from '../support/connected-account.ts'
import type { Merchant } from '../support/merchant.ts'
import { beginOnClock, day, minute } from '../support/test-clock.ts'
import { addImage, pdf, sendFile } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Accounts that live by a test clock: a month of waiting takes a call.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

const later = 'company.proof_of_address'
const after = (time: string, ms: number) => ({ to: new Date(Date.parse(time) + ms).toISOString() })

test('an account of a platform on a clock is approved, restricted and active again by the clock', async () => {
  const { merchant, accountId, clock, attach, advance } = await beginOnClock(api)
  await attach({ account_id: accountId })
  const { account_id: id } = await completeAccount(merchant)
  assert.equal((await readAccount(merchant, id)).status, 'under_review')
  const start = clock.frozen_time
  const approved = await advance(after(start, minute))
  assert.ok(approved.happened.some(({ resource_id, step }) => resource_id === id && step === 'active'))
  await advance(after(start, 31 * day))
  assert.deepEqual((await readAccount(merchant, id)).requirements.currently_due, [later])
  await advance(after(start, 46 * day))
  const restricted = await readAccount(merchant, id)
  assert.deepEqual([restricted.status, restricted.requirements.past_due], ['restricted', [later]])
  await addDocument(merchant, id, later)
  await advance(after(start, 46 * day + minute))
  assert.equal((await readAccount(merchant, id)).status, 'active')
})

test('an account that is attached later goes by the clock from then on, whoever calls for it', async () => {
  const { merchant, clock, attach, advance } = await beginOnClock(api)
  const { account_id: id } = await createAccount(merchant)
  await attach({ account_id: id })
  await advance(after(clock.frozen_time, 40 * day))
  await addDocument(merchant, id, 'company.memorandum')
  const { updated_at: at } = await readAccount(merchant, id)
  assert.ok(Date.parse(String(at)) <= Date.parse(clock.frozen_time) + 41 * day)
  const [row] = await stack.sql<{ clock_id: string | null }>('select clock_id from account_profiles where id = ?', [id])
  assert.equal(row?.clock_id, clock.clock_id)
})

const slot = 'company.memorandum'
/** The newest document of the slot, of those that are listed. */
async function newestOf(merchant: Merchant, id: string): Promise<unknown> {
  const { items } = pageOf(await merchant.call('GET', `/v1/accounts/${id}/documents`))
  return items.find(({ document_type: type }) => type === slot)?.['id']
}

test('the newest document of a slot counts where a clock stands still', async () => {
  const { merchant, accountId, attach } = await beginOnClock(api)
  await attach({ account_id: accountId })
  const { account_id: id } = await createAccount(merchant)
  const person = personPath(id, await addPerson(merchant, id, { roles: ['representative'] }))
  // The ids of one moment have a random order: eight of them are hardly ever in the right one by chance.
  for (let times = 0; times < 8; times++) {
    const { id: added } = await addDocument(merchant, id, slot)
    assert.equal(await newestOf(merchant, id), added)
    const changed = await merchant.call('PATCH', person, { id_document: await addImage(merchant) })
    assert.ok(changed.body['id_document'], changed.text)
    assert.deepEqual((await merchant.call('GET', person)).body['id_document'], changed.body['id_document'])
  }
})

test('the newest document of a slot counts where an earlier one was sent by a clock that was ahead', async () => {
  const { merchant, clock, attach, advance } = await beginOnClock(api)
  const { account_id: id } = await createAccount(merchant)
  await attach({ account_id: id })
  await advance(after(clock.frozen_time, 40 * day))
  const acting = { 'x-account-id': id }
  const { upload_id: file } = (await sendFile(merchant, pdf, 'ahead.pdf', acting)).body
  const ahead = await merchant.call('POST', `/v1/accounts/${id}/documents`, { file, document: slot }, acting)
  assert.equal(ahead.status, 201, ahead.text)
  assert.ok(Date.parse(String(ahead.body['uploaded_at'])) > Date.now() + 30 * day)
  const { id: added } = await addDocument(merchant, id, slot)
  assert.equal(await newestOf(merchant, id), added)
})
