import assert from 'node:assert/strict'
import { afterEach, beforeEach } from 'node:test'
import { type Api, withApi } from './api.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type Stack, type StackOptions, startStack } from './stack.ts'
import { until } from './until.ts'
import { atEnd, checkAtEnd, use } from './use.ts'

type UseStack = StackOptions & {
  /** When to assert that the invariants hold. A file that asserts them itself, or breaks them, leaves this out. */
  invariants?: 'after each test' | 'at the end'
}

/** The whole service, for all tests of a file. */
export async function useStack({ invariants, ...options }: UseStack = {}): Promise<Stack> {
  const stack = await startStack(options)
  atEnd(() => stack.stop())
  // Without workers the outbox is never emptied.
  const check = () => assertInvariants(stack, { dispatched: options.workers ?? true })
  if (invariants === 'at the end') checkAtEnd(check)
  if (invariants === 'after each test') afterEach(check)
  return stack
}

/** Asserts that all invariants hold, once the outbox is empty. */
export async function assertInvariants(stack: Stack, { dispatched = true } = {}): Promise<void> {
  if (dispatched) await stack.dispatched()
  if (dispatched) await mailsSent(stack)
  assert.deepEqual(await stack.check(), [])
}

/** Waits a little for the mails that processes send beside their waits; the rules find those that never go out. */
async function mailsSent({ sql }: Stack): Promise<void> {
  const areSent = async () => (await sql('select from subscription_mails where sent_at is null')).length === 0
  await until(areSent, 'every mail was sent', { withinMs: 10_000 }).catch(() => undefined)
}

/** What tests of the API need beside the stack. The demo key has no rate limit unless `limited`. */
export async function useApi(stack: Stack, { limited = false } = {}): Promise<Api> {
  const api = withApi(stack)
  atEnd(() => api.close())
  if (!limited) await api.lift()
  return api
}

/** A receiver of webhooks, for all tests of a file. */
export const useReceiver = () =>
  use(
    () => startReceiver(),
    (receiver) => receiver.close(),
  )

/** A new receiver of webhooks for each test, available from the test's start. */
export function useReceiverForEachTest(): Receiver {
  const receiver = {} as Receiver // filled before each test
  beforeEach(async () => void Object.assign(receiver, await startReceiver()))
  afterEach(() => receiver.close())
  return receiver
}
