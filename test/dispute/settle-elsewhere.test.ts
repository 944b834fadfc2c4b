import { test } from 'node:test'
import { assertError } from '../support/api.ts'
import { makers } from '../support/resources.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A sandbox may have the test mode of a provider. What that one raises is not in the book of our simulated network.
const stack = await useStack({ workers: false })
const api = await useApi(stack)

test('CONFLICT: a dispute that the sandbox’s network does not have is not settled by a test helper', async () => {
  const key = await api.addKey({ accountId: await api.addAccount() })
  const owner = { accountId: key.accountId, keys: { sandbox: key, live: key } }
  const made = await makers['dispute_id']?.make(stack, owner, 'sandbox')
  for (const outcome of ['won', 'lost', 'withdrawn']) {
    const path = `/v1/test-helpers/disputes/${made?.id}/settle`
    assertError(await key.merchant.call('POST', path, { outcome }), 409, 'CONFLICT')
  }
})
