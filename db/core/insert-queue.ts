import { AsyncLocalStorage } from 'node:async_hooks'
import { clockOf, type Database, type EntityManager } from './database.ts'
import type { Form, Insertion } from './insert-form.ts'
import type { Row } from './metadata.ts'
import { runPrepared } from './prepared-statement.ts'

/** The calls of one statement at most: more make it little cheaper, and all of them wait for it. */
const callsMax = 16
/** The statements of one form under way at a time, beyond which calls wait and share the next one. */
const underWayMax = 2
/** A statement that takes longer than this, as it waits for somebody else's, keeps nobody from the next one. */
const patienceMs = 50

/** A call that waits for its statement. */
type Waiting = {
  em: EntityManager
  values: unknown[]
  /** Runs something as a part of this call, for its trace. */
  run: <R>(work: () => R) => R
  answered(answer: Row | null | Promise<Row | null>): void
}
type Calls = [Waiting, ...Waiting[]]

/** Calls that insert rows of one form: those who wait, and how many statements are under way. */
type Queue = { form: Form; waiting: Waiting[]; underWay: number }

const queuesOf = new WeakMap<Database['orm'], Map<Form, Queue>>()

/**
 * Inserts the rows of a call. It answers their serial keys, or null if the guard of the call was not inserted. A call
 * goes at once, by itself, where few are under way. The others wait, and as many as have come meanwhile share the next
 * statement: Postgres reads the checks and indexes of a table again for each statement, not for each row.
 */
export function insertAmongOthers(
  { orm }: Pick<Database, 'orm'>,
  em: EntityManager,
  { form, values }: Insertion,
): Promise<Row | null> {
  // Sessions of a clock that is far behind are counted in hours that are over, and may wait for the counting of others.
  if (clockOf(em) || !values.every(isPlain)) return alone(em, form, values)
  const queue = queueOf(orm, form)
  const answer = new Promise<Row | null>((answered) => {
    queue.waiting.push({ em, values, run: AsyncLocalStorage.snapshot(), answered })
  })
  sendNext(queue)
  return answer
}

function queueOf(orm: Database['orm'], form: Form): Queue {
  let queues = queuesOf.get(orm)
  if (!queues) queuesOf.set(orm, (queues = new Map<Form, Queue>()))
  let queue = queues.get(form)
  if (!queue) queues.set(form, (queue = { form, waiting: [], underWay: 0 }))
  return queue
}

/** Whether a value is the same in JSON: no bytes, no list, and no text that JSON of Postgres refuses. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  return value === null || typeof value === 'number' || typeof value === 'boolean' || value instanceof Date
}

/** Sends a statement for those who wait. The next one goes when it has been answered, or has taken too long. */
function sendNext(queue: Queue): void {
  while (queue.underWay < underWayMax && queue.waiting.length > 0) {
    const calls = takeCalls(queue)
    queue.underWay += 1
    let isAwaited = true
    const goOn = () => {
      if (isAwaited) queue.underWay -= 1
      isAwaited = false
      sendNext(queue)
    }
    const patience = setTimeout(goOn, patienceMs)
    void calls[0]
      .run(() => send(queue.form, calls))
      .finally(() => {
        clearTimeout(patience)
        goOn()
      })
  }
}

/** The calls of the next statement. Two with the same guard, one call that was sent twice, are not in one statement. */
function takeCalls(queue: Queue): Calls {
  const taken = new Map<unknown, Waiting>()
  const left: Waiting[] = []
  for (const call of queue.waiting) {
    const key = call.values[0]
    if (taken.size === callsMax || taken.has(key)) left.push(call)
    else taken.set(key, call)
  }
  queue.waiting = left
  // All statements take keys in one order: two with the same keys would otherwise wait for each other.
  const inOrder = [...taken.values()].toSorted((one, other) =>
    String(one.values[0]) < String(other.values[0]) ? -1 : 1,
  )
  return inOrder as Calls // as somebody waits
}

async function send(form: Form, calls: Calls): Promise<void> {
  if (calls.length === 1) return sendAlone(form, calls[0])
  try {
    const inserted = await runPrepared<Row>(calls[0].em, form.several, [jsonOf(calls)])
    const answers = new Map(inserted.map((answer) => [answer['call'], answer]))
    for (const [index, { answered }] of calls.entries()) answered(answers.get(index) ?? null)
  } catch (error) {
    // What Postgres has refused it has not inserted: each call hears by itself whether its rows were the reason.
    if (isRefusedForRows(error)) await Promise.all(calls.map((call) => sendAlone(form, call)))
    else for (const { answered } of calls) answered(Promise.reject(error as Error))
  }
}

/**
 * Whether Postgres has refused a statement for the rows that it holds, or as it conflicted with another one: each of
 * its calls may do better by itself. Its codes say so, as its words are in the language of the server. The connection
 * may have ended after the commit (08, 57P). And where a statement took too long (57014, 55P03), or nothing can be
 * written now (25, 53), its calls would wait as long again, each on a connection of its own.
 */
export function isRefusedForRows(error: unknown): boolean {
  const { severity, code = '' } = error as { severity?: string; code?: string }
  return severity !== undefined && !/^(08|25|53|55P03|57)/.test(code)
}

async function sendAlone(form: Form, { em, values, answered }: Waiting): Promise<void> {
  const answer = alone(em, form, values)
  answered(answer)
  await answer.catch(() => undefined) // whoever made the call hears of it
}

async function alone(em: EntityManager, { single }: Form, values: unknown[]): Promise<Row | null> {
  const [answer] = await runPrepared<Row>(em, single, values)
  return answer ?? null
}

/** The parameter of a statement for several calls. */
const jsonOf = (calls: Calls) =>
  JSON.stringify(
    calls.map(({ values }, call) => ({ call, ...Object.fromEntries(values.map((value, at) => [`v${at}`, value])) })),
  )
