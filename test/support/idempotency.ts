import assert from 'node:assert/strict'
import { assertError, fromAnywhere } from './api.ts'
import type { Reply } from './merchant.ts'

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
