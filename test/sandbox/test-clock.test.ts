import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sale } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Test clocks over real HTTP, with real processes and the real time of the engine.
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

type Happened = { at: string; resource_id: string; step: string; actor: string; last_error: string | null }
type Clock = { clock_id: string; frozen_time: string; status: string; happened: Happened[] }

async function begin() {
  const { merchant, accountId } = await api.addMerchant()
  const path = '/v1/test-helpers/clocks'
  const send = async (at: string, body: object) => {
    const { status, text, body: answer } = await merchant.call('POST', `${path}${at}`, body)
    assert.ok(status < 300, text)
    return answer as unknown as Clock
  }
  const clock = await send('', { name: 'A year' })
  return {
    merchant,
    accountId,
    clock,
    attach: (body: object) => send(`/${clock.clock_id}/attach`, body),
    advance: (body: object) => send(`/${clock.clock_id}/advance`, body),
  }
}

const told = ({ happened }: Clock) => happened.map(({ resource_id, step, at }) => [resource_id, step, at])

test('a session expires when its clock says so, to the second, and others do not', async () => {
  const { merchant, attach, advance } = await begin()
  const [member, other] = [await merchant.createCheckout(), await merchant.createCheckout()]
  await attach({ checkout_id: member.checkout_id })
  const early = await advance({ by: 'PT30M' })
  assert.deepEqual(told(early), [])
  const { happened, status, frozen_time } = await advance({ by: 'P1D' })
  assert.deepEqual(
    happened.map(({ resource_id, step, at, actor }) => [resource_id, step, at, actor]),
    [[member.checkout_id, 'expired', member.expires_at, 'system']],
  )
  assert.equal(status, 'ready')
  assert.equal(frozen_time, new Date(Date.parse(early.frozen_time) + day).toISOString())
  assert.equal((await merchant.getCheckout(other.checkout_id))['status'], 'open')
})
void [sale, minute, hour]
