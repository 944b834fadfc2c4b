import { actsAs, type ClockTime, type EntityManager, goByClock } from '../../db/core/database.ts'
import { newId } from '../../domain/id.ts'
import type { Actor } from '../../domain/sight/timeline.ts'
import { assertMayCall } from './acting-for.ts'
import { type Answer, commitPatiently, insertOnce, type KeyedCall, runOnce, writeOnce } from './idempotency.ts'
import { type Call, ExistingResource, FileAnswer, type Operation, StreamAnswer } from './operation.ts'
import { assertValid, validateInput } from './validate.ts'

export type AnyCall = Call<undefined, undefined, undefined>
/** A call that has been checked. Its mode decides with which `em` its handler works, and how it asks outside. */
export type CheckedCall = Omit<AnyCall, 'em' | 'askOutside'>

/**
 * Runs the handler of a call that has been checked, by the operation's mode. `realTime` is when a call has arrived that
 * goes by a test clock.
 */
export function runOperation(
  operation: Operation,
  call: CheckedCall,
  once: KeyedCall | null,
  clock: ClockTime | null,
  realTime: number | null = null,
): Promise<Answer> {
  const { services } = call
  const answer = async (made: AnyCall): Promise<Answer> => {
    const done = await operation.handle(made)
    if (done instanceof FileAnswer) return { status: operation.returns[0], body: '', file: done }
    if (done instanceof StreamAnswer) return { status: operation.returns[0], body: '', stream: done }
    if (done instanceof ExistingResource) return { status: 200, body: JSON.stringify(done.found) }
    return { status: operation.returns[0], body: JSON.stringify(done) }
  }
  const asCaller = (em: EntityManager) => {
    actsAs(em, ...actorOf(call.caller))
    if (clock) goByClock(em, clock, realTime)
    return em
  }
  if (operation.mode === 'write') {
    const write = operation.insertsOnly?.(call.body) ? insertOnce : writeOnce
    return askingOutside((askOutside) =>
      write(services, once, (em) => answer({ ...call, em: asCaller(em), askOutside })),
    )
  }
  if (operation.mode === 'process') {
    const freshId = newId(operation.makes ?? 'call', call.now)
    const commit: AnyCall['commit'] = (work) => commitPatiently(services, (em) => work(asCaller(em)))
    return runOnce(services, once, freshId, (callId, isRepeat) =>
      answer(reading({ ...call, callId, isRepeat, commit })),
    )
  }
  // A call with a key that writes nothing gets the same answer again too, while its key is stored.
  return once ? runOnce(services, once, newId('call', call.now), () => answer(reading(call))) : answer(reading(call))
}

/** Ends a transaction in which somebody outside has to be asked first. */
class AskFirst extends Error {
  readonly question: string
  readonly ask: () => Promise<unknown>

  constructor(question: string, ask: () => Promise<unknown>) {
    super('somebody outside is asked first')
    this.question = question
    this.ask = ask
  }
}

/**
 * Runs `write`, and runs it again after each question to somebody outside, once that is answered or has failed. Between
 * the two it holds neither a connection nor its key: two calls with one key may both ask, and one of them writes.
 */
async function askingOutside(write: (askOutside: AnyCall['askOutside']) => Promise<Answer>): Promise<Answer> {
  const asked = new Map<string, Promise<unknown>>()
  const askOutside: AnyCall['askOutside'] = async <T>(question: string, ask: () => Promise<T>) => {
    const answered = asked.get(question)
    if (!answered) throw new AskFirst(question, ask)
    // The cast is safe: the same question is asked by the same code.
    return answered as Promise<T>
  }
  for (;;) {
    try {
      return await write(askOutside)
    } catch (error) {
      if (!(error instanceof AskFirst)) throw error
      const answered = error.ask()
      asked.set(error.question, answered)
      // A failure is thrown again in the transaction, which stores it for the key if it is an answer.
      await answered.catch(() => undefined)
    }
  }
}

/** The call of a handler that only reads by its `em`. */
const reading = (call: CheckedCall): AnyCall => ({
  ...call,
  em: call.services.database.orm.em.fork(), // not made by a getter, which would cost more: docs/decisions/0105
  askOutside: (_question, ask) => ask(),
})

/** Who changes what a call changes. The platform's own staff belong to no organization. */
function actorOf({ accountId, userId, clientSecret, customerId }: AnyCall['caller']): [Actor, string | null] {
  if (clientSecret !== null || customerId !== null) return ['buyer', null]
  return [accountId === '' ? 'operator' : 'merchant', userId]
}

/** What a call from within takes from the call that makes it, and the test clock by which it goes. */
export type Within = Pick<AnyCall, 'caller' | 'services' | 'count' | 'assertMaySell'> & { clock: ClockTime }
type Sent = { params?: Record<string, string>; body: Record<string, unknown> }

/** Calls an operation from within another one, with the checks of its scope and its body. Returns its answer. */
export async function callOperation<T>(operation: Operation, { clock, ...from }: Within, sent: Sent): Promise<T> {
  const { caller, services } = from
  assertMayCall(operation, caller)
  const now = clock.time
  const digitsOf = (field: string) => (sent.body[field] === undefined ? undefined : String(sent.body[field]))
  const { value, normalized, errors } = validateInput(operation.body, sent.body)
  const circumstances = { caller, digitsOf, now, services, query: {}, hasErrors: errors.length > 0 }
  assertValid([...errors, ...(operation.validate?.(normalized, circumstances) ?? [])])
  const waitsOn = () => undefined // the call that makes this one is counted
  // Of an operation from a list the types of its input are not known: its own schemas have checked what it gets.
  const call = { ...from, params: sent.params ?? {}, query: {}, body: value, now, digitsOf, waitsOn }
  const { body } = await runOperation(operation, call as unknown as CheckedCall, null, clock)
  return JSON.parse(body) as T
}
