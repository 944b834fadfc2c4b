import assert from 'node:assert/strict'
import type { Services } from '../../api/http/services.ts'
import type { Engine } from '../../engine/engine.ts'
import { type Api, assertError, fromAnywhere } from './api.ts'
import { createMerchant, type Merchant, type Reply } from './merchant.ts'
import type { Stack } from './stack.ts'

/** Headers of a call with a key, from a random address. */
export const keyOf = (key: string): Record<string, string> => ({ 'idempotency-key': key, ...fromAnywhere() })

export function assertReplay(first: Reply, again: Reply): void {
  assert.equal(again.status, first.status)
  assert.equal(again.text, first.text)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
}

export function assertInUse(reply: Reply): void {
  const [error] = assertError(reply, 409, 'CONFLICT')
  assert.equal(error?.code, 'idempotency_key_in_use')
  assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

/** An API process that loses its engine once: before an update is sent, or after the engine has handled it. */
export async function cutOffAt(
  stack: Stack,
  api: Api,
  when: 'before' | 'after',
  overrides: Partial<Services> = {},
): Promise<Merchant> {
  const { engine } = stack.services
  let isCut = false
  const flaky: Engine = {
    ...engine,
    async update(...args) {
      if (isCut) return engine.update(...args)
      isCut = true
      if (when === 'after') await engine.update(...args)
      throw Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })
    },
  }
  return createMerchant(await api.addProcess({ ...overrides, engine: flaky }), stack.merchant.apiKey)
}
