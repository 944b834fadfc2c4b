import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { IdempotencyRecord } from '../../db/core/idempotency.ts'
import { computeHmac } from '../../db/core/hmac.ts'
import { type Guard, insertGuard } from '../../db/core/insert-form.ts'
import { insertTogether } from '../../db/core/insert-together.ts'
import { conflict, errorCodes, Refusal } from '../../domain/refusal.ts'
import { answerKeptMs } from '../../domain/retention.ts'
import { errorBody } from './error-object.ts'
import { isContended } from '../../engine/unavailable.ts'
import { refusalIn } from '../../engine/refusals.ts'
import { type Holder, leaseSeconds, runUnderLease } from './key-lease.ts'
import type { FileAnswer, StreamAnswer } from './operation.ts'
import type { Services } from './services.ts'

/** An answer to the caller: `body` is its exact text. A `file` or a `stream` is sent in its place, and never stored. */
export type Answer = { status: number; body: string; replayed?: boolean; file?: FileAnswer; stream?: StreamAnswer }

/** Where a caller may give an idempotency key: a header, or for some operations a field of the body. */
export type KeyField = 'Idempotency-Key' | 'idempotency_key'

/** A call with an idempotency key: the hash of the key and its scope, the hash of the body; `now` in ms (epoch). */
export type KeyedCall = { id: string; bodyHash: string; keyField: KeyField; now: number }

/**
 * Scope of a key: account, environment, method and path, and the person whose credential it came with, if the
 * credential is one person's (docs/contract/general.md, "Idempotency"). The hashes are
 * HMACs: a body may hold a card number, and a plain hash of one can be broken by trying all card numbers.
 */
export const identifyCall = (
  pepper: Buffer,
  scope: string[],
  { key, field }: { key: string; field: KeyField },
  body: Buffer,
  now: number,
): KeyedCall => ({
  id: computeHmac(pepper, 'idempotency key', ...scope, key),
  bodyHash: computeHmac(pepper, 'idempotency body', body),
  keyField: field,
  now,
})

class LostRace extends Error {}

/** Whether another call committed first. This one has then stored nothing and may be run again. */
const hasLost = (error: unknown): boolean =>
  error instanceof LostRace || error instanceof UniqueConstraintViolationException || isContended(error)

/**
 * Runs a `write` once per key: the record commits with the effect, and a repeated call gets the stored answer. After a
 * conflict at a unique index or a deadlock the call is run again, and then sees what the other call has committed.
 */
export async function writeOnce(
  services: Services,
  call: KeyedCall | null,
  work: (em: EntityManager) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await commitPatiently(services, (em) => (call ? claimAndWork(services, em, call, work) : work(em)))
  } catch (error) {
    if (call) await keepRefusal(services, call, error)
    throw error
  }
}

/** Runs `work` in a transaction, and again after a conflict with another one. */
export async function commitPatiently<T>({ database }: Services, work: (em: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await inTransaction(database, work)
    } catch (error) {
      if (!hasLost(error) || attempt === 5) throw error
    }
  }
}

type Work = (em: EntityManager) => Promise<Answer>

/**
 * Like `writeOnce`, for work that only creates rows: one statement writes these and the record. If the key has been
 * used before, or the work refuses, nothing was written, and `writeOnce` finds the answer.
 */
export async function insertOnce(services: Services, call: KeyedCall | null, work: Work): Promise<Answer> {
  const guard = (answer: Answer) => call && keeping(services, call, answer)
  const answer = await insertTogether(services.database, work, guard).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
  return answer ?? writeOnce(services, call, work)
}

async function claimAndWork(services: Services, em: EntityManager, call: KeyedCall, work: Work): Promise<Answer> {
  const stored = await claim(services, em, call)
  if (stored.answer) return stored.answer
  const answer = await work(em)
  await em.flush()
  await keep(services, em, call, answer)
  return answer
}

/**
 * Runs a `process` call once per key. `work` gets an id for the resource it creates. If the call is interrupted and
 * repeated, the id is the same, so that both create the same resource.
 */
export async function runOnce(
  services: Services,
  call: KeyedCall | null,
  freshId: string,
  work: (callId: string, isRepeat: boolean) => Promise<Answer>,
): Promise<Answer> {
  if (!call) return work(freshId, false)
  const holding = { ...call, token: randomUUID().replaceAll('-', '') }
  try {
    const startedAt = performance.now()
    const begun = await begin(services, holding, freshId)
    if (begun.answer) return begun.answer
    const { callId, isRepeat } = begun
    const under = () => workUnderKey(services, holding, () => work(callId, isRepeat))
    return await runUnderLease(services.database, holding, startedAt, under)
  } catch (error) {
    if (!refusedBy(error)) freeSoon(services, holding)
    throw error
  }
}

async function workUnderKey(services: Services, call: Holding, work: () => Promise<Answer>): Promise<Answer> {
  let answer: Answer
  try {
    answer = await work()
  } catch (error) {
    await giveUp(services, call, error)
    throw error
  }
  return inTransaction(services.database, async (em) => {
    await keep(services, em, call, answer)
    return answer
  }).catch(async (error: unknown) => {
    if (!(error instanceof LostRace)) throw error
    // Another call took the key over in the meantime, did the same work and stored its answer first.
    return (await inTransaction(services.database, (em) => claim(services, em, call))).answer ?? answer
  })
}

type Holding = KeyedCall & Holder

type Begun = { answer: Answer | null; callId: string; isRepeat: boolean }

/** Records that the call is under way, unless it has been answered. */
const begin = (services: Services, call: Holding, freshId: string): Promise<Begun> =>
  inTransaction(services.database, async (em) => {
    const { answer, resourceId } = await claim(services, em, call)
    const callId = resourceId ?? freshId
    if (!answer) await save(em, saving(call, { resourceId: callId, heldBy: call.token, status: null, encrypted: null }))
    return { answer, callId, isRepeat: resourceId !== null }
  }).catch((error: unknown) => {
    throw error instanceof LostRace ? inUse(call) : error
  })

/**
 * After a failure: stores the answer if it is a refusal, else frees the key so that the call can be repeated at once.
 */
async function giveUp(services: Services, call: Holding, error: unknown): Promise<void> {
  const em = services.database.orm.em.fork()
  if (refusedBy(error)?.code === 'VALIDATION_ERROR') await em.nativeDelete(IdempotencyRecord, heldStill(call))
  else if (!(await keepRefusal(services, call, error))) await free(em, call)
}

const heldStill = ({ id, token }: Holder) => ({ id, encryptedAnswer: null, heldBy: token })

/** Frees the key, unless another call has taken it over. */
const free = (em: EntityManager, call: Holder): Promise<number> =>
  em.nativeUpdate(IdempotencyRecord, heldStill(call), { runningUntil: null, heldBy: null })

/** Frees the key of a call that has lost its database: it retries until the database is back. */
function freeSoon({ database }: Services, call: Holder): void {
  const freeing = async () => {
    for (const waitMs of [100, 500, 1_000, 2_000, 4_000]) {
      await setTimeout(waitMs, undefined, { ref: false })
      if (await free(database.orm.em.fork(), call).then(...yesOrNo)) return
    }
  }
  void freeing()
}

const yesOrNo = [() => true, () => false] as const

type Claim = { answer: Answer | null; resourceId: string | null }

/** Takes the key for this transaction. Refuses if another call holds the key, or used it with another body. */
async function claim(services: Services, em: EntityManager, call: KeyedCall): Promise<Claim> {
  const sql = `select free, (record).*, coalesce((record).running_until > clock_timestamp(), false) as running
    from claim_idempotency_key(?)`
  const [row] = await em.execute<{ free: boolean; running: boolean; id: string | null }[]>(sql, [call.id])
  if (!row?.free) throw inUse(call)
  const record = row.id === null ? null : em.map(IdempotencyRecord, row)
  if (!record || record.expiresAt.getTime() <= call.now) return { answer: null, resourceId: null }
  if (record.bodyHash !== call.bodyHash) throw reused(call)
  if (record.encryptedAnswer !== null && record.status !== null) {
    const body = services.encrypter.decrypt(record.encryptedAnswer)
    return { answer: { status: record.status, body, replayed: true }, resourceId: record.resourceId }
  }
  if (row.running) throw inUse(call)
  return { answer: null, resourceId: record.resourceId }
}

const reused = ({ keyField }: KeyedCall) => {
  const message = 'the idempotency key was used with another body: send the first body again, or another key'
  return conflict('idempotency_key_reused', message, { field: keyField, message: 'was used with another body' })
}

const inUse = ({ keyField }: KeyedCall) => {
  const message = 'a call with this idempotency key is still running: send the same call again in a second'
  return conflict('idempotency_key_in_use', message, { field: keyField, message: 'is in use' })
}

const keep = (services: Services, em: EntityManager, call: KeyedCall, answer: Answer) =>
  save(em, keeping(services, call, answer))

/** The record that stores an answer. */
const keeping = ({ encrypter }: Services, call: KeyedCall, { status, body }: Answer): Guard =>
  saving(call, { resourceId: null, heldBy: null, status, encrypted: encrypter.encrypt(body) })

type Saved = { resourceId: string | null; heldBy: string | null; status: number | null; encrypted: string | null }

/** The record of a call. It is not written if an answer is stored for the key already. */
const saving = (call: KeyedCall, { resourceId, heldBy, status, encrypted }: Saved): Guard => ({
  table: 'idempotency_records',
  cells: [
    { column: 'id', sql: '?::varchar', values: [call.id] },
    { column: 'body_hash', sql: '?::varchar', values: [call.bodyHash] },
    { column: 'resource_id', sql: '?::varchar', values: [resourceId] },
    { column: 'held_by', sql: '?::varchar', values: [heldBy] },
    { column: 'running_until', sql: heldBy === null ? 'null' : leaseEnd, values: [] },
    { column: 'status', sql: '?::smallint', values: [status] },
    { column: 'sealed_answer', sql: '?::text', values: [encrypted] },
    { column: 'expires_at', sql: '?::timestamptz', values: [new Date(call.now + answerKeptMs)] },
  ],
  // `expires_at` less the time for which an answer is kept is the moment of this call.
  conflict: `on conflict (id) do update set body_hash = excluded.body_hash,
      resource_id = coalesce(excluded.resource_id, r.resource_id), held_by = excluded.held_by,
      running_until = excluded.running_until, status = excluded.status, sealed_answer = excluded.sealed_answer,
      expires_at = excluded.expires_at
    where r.sealed_answer is null or r.expires_at <= excluded.expires_at - interval '${answerKeptMs} milliseconds'`,
})

const leaseEnd = `clock_timestamp() + interval '${leaseSeconds} seconds'`

async function save(em: EntityManager, record: Guard): Promise<void> {
  if (!(await insertGuard(em, record))) throw new LostRace('another call with this key has committed first')
}

const refusedBy = (error: unknown): Refusal | undefined => (error instanceof Refusal ? error : refusalIn(error))

/** Stores a business refusal, as it is an answer too. Not stored: invalid input, rate limits and failures to retry. */
async function keepRefusal(services: Services, call: KeyedCall, error: unknown): Promise<boolean> {
  const refused = refusedBy(error)
  if (!refused || refused.code === 'VALIDATION_ERROR') return false
  const status = errorCodes[refused.code]
  const ofTheKey = refused.errors.some((fieldError) => fieldError.code?.startsWith('idempotency_key'))
  if (status === 429 || status >= 500 || ofTheKey) return false
  const answer = { status, body: errorBody(refused, services.config) }
  return inTransaction(services.database, (em) => keep(services, em, call, answer)).then(
    () => true,
    () => false,
  )
}
