import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAccount } from '../support/connected-account.ts'
import { pastedFrom } from '../support/guide.ts'
import { addImage } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { until } from '../support/until.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

test('the calls of the guide work as pasted, in their order, and end with an active account', async () => {
  const { key, merchant } = await api.addMerchant()
  let account = ''
  const filled = (text: string) => text.replaceAll('$ACCT', account)
  let count = 0
  for (const call of pastedFrom('connected-accounts', filled)) {
    const { method, path, type, body } = call()
    const sent = body?.replaceAll('upl_…', await addImage(merchant))
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    const reply = await fetch(stack.baseUrl + path, { method, headers, ...(sent !== undefined && { body: sent }) })
    const text = await reply.text()
    assert.ok(reply.status < 300, `${method} ${path}: ${text}`)
    const answer = JSON.parse(text) as Record<string, unknown>
    if (path === '/v1/accounts' && method === 'POST') account = String(answer['account_id'])
    if (path.endsWith('/documents')) {
      assert.equal((await readAccount(merchant, account)).status, 'under_review')
      const isActive = async () => (await readAccount(merchant, account)).status === 'active'
      await until(isActive, 'the sandbox has approved it')
    }
    if (path.startsWith('/v1/accounts?')) assert.equal((answer['items'] as unknown[]).length, 1)
    count += 1
  }
  assert.equal(count, 10)
})
