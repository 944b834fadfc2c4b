import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { IdempotencyRecord } from '../../db/core/idempotency.ts'
import { computeHmac } from '../../db/core/hmac.ts'
import { type Guard, insertTogether } from '../../db/core/insert-together.ts'
import { errorCodes, Refusal } from '../../domain/refusal.ts'
import { isContended } from '../../engine/unavailable.ts'
import { refusalIn } from '../../engine/refusals.ts'
import { type Holder, leaseSeconds, runUnderLease } from './key-lease.ts'
import type { Services } from './services.ts'

/** What goes back to the caller: `body` is the answer's exact text. */
export type Answer = { status: number; body: string; replayed?: boolean }

/** One call under an idempotency key: the key's scope and the body, both hashed; `now` in ms since the epoch. */
export type KeyedCall = { id: string; bodyHash: string; now: number }

const keptMs = 24 * 3_600_000

/**
 * Scope of a key: account, environment, method and path (docs/contract/general.md, "Idempotency"). The hashes are
 * keyed, as a body may hold a card number, and there are few enough of these to try them all against a plain hash.
 */
export const identifyCall = (pepper: Buffer, scope: string[], key: string, body: Buffer, now: number): KeyedCall => ({
  id: computeHmac(pepper, 'idempotency key', ...scope, key),
  bodyHash: computeHmac(pepper, 'idempotency body', body),
  now,
})

class LostRace extends Error {}

/** Whether another call was first, so that nothing of this one is there and it may be made again. */
const hasLost = (error: unknown): boolean =>
  error instanceof LostRace || error instanceof UniqueConstraintViolationException || isContended(error)

/**
 * Runs a `write` once per key: the record commits with the effect, and a repeated call gets the stored answer. A call
 * that met another one at a unique index, or whose locks crossed another one's, is run again, and then sees what the
 * other has committed.
 */
export async function writeOnce(
  services: Services,
  call: KeyedCall | null,
  work: (em: EntityManager) => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await inTransaction(services.database, (em) => (call ? claimAndWork(services, em, call, work) : work(em)))
    } catch (error) {
      if (hasLost(error) && attempt < 5) continue
      if (call) await keepRefusal(services, call, error)
      throw error
    }
  }
}

type Work = (em: EntityManager) => Promise<Answer>

/**
 * Like `writeOnce`, for work that does nothing but create rows: these and the record are one statement. When the key
 * has been used before, or the work refuses, nothing was written and the long way says what the answer is.
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
 * Runs a `process` call once per key. `work` gets an id for what it makes, which stays the same should the call be cut
 * off and repeated, so that both make the same thing.
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
    // Another call took over in the meantime, did the same thing and was first to write down its answer.
    return (await inTransaction(services.database, (em) => claim(services, em, call))).answer ?? answer
  })
}

type Holding = KeyedCall & Holder

type Begun = { answer: Answer | null; callId: string; isRepeat: boolean }

/** Writes down that the call is under way, unless it has been answered. */
const begin = (services: Services, call: Holding, freshId: string): Promise<Begun> =>
  inTransaction(services.database, async (em) => {
    const { answer, resourceId } = await claim(services, em, call)
    const callId = resourceId ?? freshId
    if (!answer) await save(em, saving(call, { resourceId: callId, heldBy: call.token, status: null, encrypted: null }))
    return { answer, callId, isRepeat: resourceId !== null }
  }).catch((error: unknown) => {
    throw error instanceof LostRace ? inUse() : error
  })

/** After a failure: a "no" is kept, a faulty call leaves no trace, and any other may be repeated at once. */
async function giveUp(services: Services, call: Holding, error: unknown): Promise<void> {
  const em = services.database.orm.em.fork()
  if (refusedBy(error)?.code === 'VALIDATION_ERROR') await em.nativeDelete(IdempotencyRecord, heldStill(call))
  else if (!(await keepRefusal(services, call, error))) await free(em, call)
}

const heldStill = ({ id, token }: Holder) => ({ id, encryptedAnswer: null, heldBy: token })

/** Lets go of the key, where no other call has it by now. */
const free = (em: EntityManager, call: Holder): Promise<number> =>
  em.nativeUpdate(IdempotencyRecord, heldStill(call), { runningUntil: null, heldBy: null })

/** The database may have gone away under a call, which then still holds its key: frees it as soon as that is back. */
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

/** Takes the key for this transaction, or refuses when another call holds it or the body is another one. */
async function claim(services: Services, em: EntityManager, call: KeyedCall): Promise<Claim> {
  const sql = `select free, (record).*, coalesce((record).running_until > clock_timestamp(), false) as running
    from claim_idempotency_key(?)`
  const [row] = await em.execute<{ free: boolean; running: boolean; id: string | null }[]>(sql, [call.id])
  if (!row?.free) throw inUse()
  const record = row.id === null ? null : em.map(IdempotencyRecord, row)
  if (!record || record.expiresAt.getTime() <= call.now) return { answer: null, resourceId: null }
  if (record.bodyHash !== call.bodyHash) {
    const error = { field: 'Idempotency-Key', type: 'value_error', code: 'idempotency_key_reused' }
    throw new Refusal('CONFLICT', 'the idempotency key was used with another body', [
      { ...error, message: 'was used with another body' },
    ])
  }
  if (record.encryptedAnswer !== null && record.status !== null) {
    const body = services.encrypter.decrypt(record.encryptedAnswer)
    return { answer: { status: record.status, body, replayed: true }, resourceId: record.resourceId }
  }
  if (row.running) throw inUse()
  return { answer: null, resourceId: record.resourceId }
}

const inUse = () =>
  new Refusal('CONFLICT', 'a call with this idempotency key is still running', [
    { field: 'Idempotency-Key', message: 'is in use', type: 'value_error', code: 'idempotency_key_in_use' },
  ])

const keep = (services: Services, em: EntityManager, call: KeyedCall, answer: Answer) =>
  save(em, keeping(services, call, answer))

/** The statement that keeps an answer. */
const keeping = ({ encrypter }: Services, call: KeyedCall, { status, body }: Answer): Guard =>
  saving(call, { resourceId: null, heldBy: null, status, encrypted: encrypter.encrypt(body) })

type Saved = { resourceId: string | null; heldBy: string | null; status: number | null; encrypted: string | null }

/** The statement that writes the record down; it answers with no row when the key's answer is there already. */
const saving = (call: KeyedCall, { resourceId, heldBy, status, encrypted }: Saved): Guard => ({
  sql: `insert into idempotency_records as r
       (id, body_hash, resource_id, held_by, running_until, status, sealed_answer, expires_at)
     values (?, ?, ?, ?, clock_timestamp() + make_interval(secs => ?), ?, ?, ?)
     on conflict (id) do update set body_hash = excluded.body_hash,
       resource_id = coalesce(excluded.resource_id, r.resource_id), held_by = excluded.held_by,
       running_until = excluded.running_until, status = excluded.status, sealed_answer = excluded.sealed_answer,
       expires_at = excluded.expires_at
     where r.sealed_answer is null or r.expires_at <= ?
     returning id`,
  params: [
    call.id,
    call.bodyHash,
    resourceId,
    heldBy,
    heldBy === null ? null : leaseSeconds,
    status,
    encrypted,
    new Date(call.now + keptMs),
    new Date(call.now),
  ],
})

async function save(em: EntityManager, { sql, params }: Guard): Promise<void> {
  const rows = await em.execute<{ id: string }[]>(sql, params)
  if (rows.length === 0) throw new LostRace('another call with this key has committed first')
}

const refusedBy = (error: unknown): Refusal | undefined => (error instanceof Refusal ? error : refusalIn(error))

/** A business "no" is an answer too and is kept; what the caller can mend, wait out or must retry is not. */
async function keepRefusal(services: Services, call: KeyedCall, error: unknown): Promise<boolean> {
  const refused = refusedBy(error)
  if (!refused || refused.code === 'VALIDATION_ERROR') return false
  const status = errorCodes[refused.code]
  const ofTheKey = refused.errors.some((fieldError) => fieldError.code?.startsWith('idempotency_key'))
  if (status === 429 || status >= 500 || ofTheKey) return false
  const answer = { status, body: errorBody(refused) }
  return inTransaction(services.database, (em) => keep(services, em, call, answer)).then(
    () => true,
    () => false,
  )
}

/** The error object of the interface. */
export const errorBody = ({ message, code, errors }: Refusal): string =>
  JSON.stringify({ detail: message, error_code: code, ...(errors.length > 0 ? { errors } : {}) })
