import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import type { Database } from '../../db/core/database.ts'
import { startDatabaseClock } from '../../engine/database-clock.ts'
import { until } from '../support/until.ts'
import { useDatabase } from '../support/use-database.ts'

const database = await useDatabase()
const hour = 3_600_000

type Line = { level: number; aheadMs?: number }

/** A logger, and the warnings and messages about clocks that it was given. */
function listen() {
  const lines: Line[] = []
  const write = (text: string) => void lines.push(JSON.parse(text) as Line)
  const of = (level: number) => lines.filter((line) => line.level === level && line.aheadMs !== undefined)
  return { logger: pino({}, { write }), warnings: () => of(40), messages: () => of(30) }
}

/** The database's time, and the milliseconds that the question took. */
async function databaseTime(): Promise<{ ms: number; withinMs: number }> {
  const askedAt = performance.now()
  const [row] = await database.orm.em
    .fork()
    .execute<{ ms: string }[]>('select extract(epoch from clock_timestamp()) * 1000 as ms')
  return { ms: Number(row?.ms), withinMs: performance.now() - askedAt }
}

/** Asserts that a clock tells the database's time, as far as a question can tell that. */
async function assertRight(now: () => number): Promise<void> {
  const before = now()
  const { ms, withinMs } = await databaseTime()
  const after = now()
  assert.ok(before <= ms + withinMs + 50 && after >= ms - withinMs - 50, `${before} to ${after}, and not ${ms}`)
}

test('a process whose clock is hours wrong, and jumps, goes by the database’s time', async () => {
  const { logger, warnings, messages } = listen()
  let wrongMs = -3 * hour
  const clock = startDatabaseClock(database, logger, {
    elapsed: () => performance.now(),
    own: () => Date.now() + wrongMs,
  })
  await clock.known
  await assertRight(clock.now)
  assert.equal(warnings().length, 1, 'an operator is told, once')
  assert.ok(Math.abs((warnings()[0]?.aheadMs ?? 0) - wrongMs) < 1_000)
  for (const next of [hour, -hour]) {
    wrongMs = next
    await assertRight(clock.now)
  }
  wrongMs = 0
  await assertRight(clock.now)
  await until(() => messages().length === 1, 'it is told that the clock is right again')
  await clock.close()
})

test('after a machine has stood still its clock is the database’s again at the first question', async () => {
  let stoodStillMs = 0
  const elapsed = () => performance.now() - stoodStillMs // does not count while a machine is suspended
  const clock = startDatabaseClock(database, listen().logger, { elapsed, own: () => Date.now() })
  await clock.known
  stoodStillMs = 10 * 60_000
  clock.now()
  await until(async () => Math.abs(clock.now() - (await databaseTime()).ms) < 500, 'the time is right')
  await clock.close()
})

/** A database that answers with `time()`, or fails if that throws. `meanwhile` happens before the answer arrives. */
function scriptedDatabase(time: () => number, meanwhile: () => unknown = () => undefined) {
  const execute = async () => {
    const ms = time()
    meanwhile()
    return [{ ms: String(ms) }]
  }
  return { orm: { em: { fork: () => ({ execute }) } } } as unknown as Pick<Database, 'orm'>
}

const away = () => Object.assign(new Error('away'), { code: 'ECONNREFUSED' })

test('after a machine has stood still the database is asked until it answers, at most once a second', async () => {
  let [elapsedMs, stoodStillMs, questions, isAway] = [1_000, 0, 0, false]
  const told = () => 5_000_000 + elapsedMs + stoodStillMs
  const scripted = scriptedDatabase(() => {
    questions += 1
    if (isAway) throw away()
    return told()
  })
  const clock = startDatabaseClock(scripted, listen().logger, { elapsed: () => elapsedMs, own: told })
  await clock.known
  questions = 0
  stoodStillMs = 10 * 60_000
  isAway = true // the connections have not survived either
  for (let ms = 0; ms < 2_500; ms += 100) {
    clock.now()
    await new Promise(setImmediate)
    elapsedMs += 100
  }
  assert.equal(questions, 3)
  isAway = false
  elapsedMs += 1_000
  clock.now()
  await new Promise(setImmediate)
  assert.equal(clock.now(), told())
  elapsedMs += 5_000
  clock.now()
  assert.equal(questions, 4, 'once it is known, nothing more is asked')
  await clock.close()
})

test('a question that meets silence does not keep a machine that has stood still from asking again', async () => {
  let [elapsedMs, stoodStillMs, questions, isSilent] = [1_000, 0, 0, false]
  const told = () => 5_000_000 + elapsedMs + stoodStillMs
  const execute = () => {
    questions += 1
    return isSilent ? new Promise(() => undefined) : Promise.resolve([{ ms: String(told()) }])
  }
  const scripted = { orm: { em: { fork: () => ({ execute }) } } } as unknown as Pick<Database, 'orm'>
  const clock = startDatabaseClock(scripted, listen().logger, { elapsed: () => elapsedMs, own: told })
  await clock.known
  questions = 0
  stoodStillMs = 10 * 60_000
  isSilent = true // nobody has told this machine that its connections are gone
  clock.now()
  isSilent = false
  elapsedMs += 999
  clock.now()
  assert.equal(questions, 1)
  elapsedMs += 1
  clock.now()
  await new Promise(setImmediate)
  assert.deepEqual([clock.now(), questions], [told(), 2])
})

test('an answer from before a machine stood still moves nothing, and is asked for again', async () => {
  const elapsedMs = 1_000
  let [stoodStillMs, sleepsMs] = [0, 0]
  const told = () => 5_000_000 + elapsedMs + stoodStillMs
  const scripted = scriptedDatabase(told, () => {
    stoodStillMs += sleepsMs
    sleepsMs = 0
  })
  const clock = startDatabaseClock(scripted, listen().logger, { elapsed: () => elapsedMs, own: told })
  await clock.known
  stoodStillMs = 60_000 // has the database asked at once
  sleepsMs = 10 * 60_000
  clock.now()
  await new Promise(setImmediate)
  clock.now()
  await new Promise(setImmediate)
  assert.equal(clock.now(), told())
  await clock.close()
})

test('an answer that took long moves nothing, and a database that is away neither', async () => {
  let answers: 'at once' | 'late' | 'not' = 'at once'
  let elapsedMs = 1_000
  const told = () => 5_000_000 + elapsedMs
  const time = () => {
    if (answers === 'not') throw away()
    return told()
  }
  const scripted = scriptedDatabase(time, () => (elapsedMs += answers === 'late' ? 4_000 : 0))
  let jumpMs = 0
  const clock = startDatabaseClock(scripted, listen().logger, { elapsed: () => elapsedMs, own: () => told() + jumpMs })
  await clock.known
  assert.equal(clock.now(), told())
  for (const how of ['late', 'not', 'at once'] as const) {
    answers = how
    jumpMs += 60_000 // has the database asked at once
    clock.now()
    await new Promise(setImmediate)
    assert.equal(clock.now(), told(), how)
    elapsedMs += 7
    assert.equal(clock.now(), told(), how)
  }
  await clock.close()
})
