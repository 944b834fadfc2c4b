import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { noteOverloaded } from '../../db/core/overloaded-account.ts'
import { restartProcess, startProcess } from '../../db/core/start-process.ts'
import type { Engine } from '../../engine/engine.ts'
import { about, openRelays } from '../support/relays.ts'
import { until } from '../support/until.ts'

// The relay makes the first attempt of a delivery. What an attempt is, and its record, is tested in test/webhook.
const other = { ...about, accountId: 'acct_2' }
const backlogOf = async () => null
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const deliver = (em: EntityManager, id: string, whose = about, endpoint = 'we_1') =>
  startProcess(em, 'webhook-delivery', id, whose, endpoint)

/** An engine that notes which processes were started. */
function noting() {
  const started: string[] = []
  const dispatch: Engine['dispatch'] = async ({ resourceId }) => void started.push(resourceId)
  return { started, engine: { dispatch, backlogOf } }
}

/** Attempts that are noted, and that succeed: that of one delivery once `answer` says so. */
function answeringLate(t: TestContext, late: string) {
  const answer = Promise.withResolvers<boolean>()
  t.after(() => answer.resolve(true)) // before the relays close, which wait for it
  const attempted: string[] = []
  const attempt = async (id: string) => {
    attempted.push(id)
    return id === late ? answer.promise : true
  }
  return { answer, attempted, attempt }
}

for (const committer of ['another process', 'the process of the relay']) {
  test(`a delivery that ends at once starts no process (committed by ${committer})`, async (t) => {
    const { commit, left, startRelay } = await openRelays(t)
    const { started, engine } = noting()
    const attempted: string[] = []
    const { database } = await startRelay(engine, async (id) => {
      attempted.push(id)
      return id !== 'dlv_waits'
    })
    const work = (em: EntityManager) => {
      for (const id of ['dlv_1', 'dlv_waits', 'dlv_2']) deliver(em, id)
      startProcess(em, 'checkout', 'chk_1', about)
      restartProcess(em, 'webhook-delivery', 'dlv_again', about, 'we_2', null)
    }
    await (committer === 'another process' ? commit(work) : inTransaction(database, async (em) => work(em)))
    await until(async () => (await left()) === 0, 'everything is dispatched')
    assert.deepEqual(attempted, ['dlv_1', 'dlv_waits', 'dlv_2'])
    assert.deepEqual(started.toSorted(), ['chk_1', 'dlv_again', 'dlv_waits'])
  })
}

test('an attempt that takes long is made once by several relays, and its row stands until it is over', async (t) => {
  const { answer, attempted, attempt } = answeringLate(t, 'dlv_slow')
  const { commit, left, startRelay } = await openRelays(t)
  const { started, engine } = noting()
  const { database } = await startRelay(engine, attempt)
  await startRelay(engine, attempt)
  // The claim of a relay's own commit ends after two seconds.
  await inTransaction(database, async (em) => deliver(em, 'dlv_slow'))
  await sleep(3_500)
  assert.deepEqual([attempted, await left()], [['dlv_slow'], 1])
  await commit((em) => deliver(em, 'dlv_next'))
  await until(() => attempted.includes('dlv_next'), 'another delivery to the same endpoint does not wait for it')
  answer.resolve(true)
  await until(async () => (await left()) === 0, 'its row is deleted')
  assert.deepEqual([attempted, started], [['dlv_slow', 'dlv_next'], []])
})

test('a delivery of a transaction that took long is attempted once, by the process that commits it', async (t) => {
  const { attempted, attempt } = answeringLate(t, 'dlv_long')
  const { commit, startRelay } = await openRelays(t)
  const { engine } = noting()
  const { database } = await startRelay(engine, attempt)
  await startRelay(engine, attempt)
  await inTransaction(database, async (em) => {
    await em.execute('select pg_sleep(2.5)') // as if it had waited for a lock
    deliver(em, 'dlv_long')
  })
  await commit((em) => deliver(em, 'dlv_swept', about, 'we_2'))
  await until(() => attempted.includes('dlv_swept'), 'a relay has swept the outbox')
  assert.deepEqual(attempted, ['dlv_long', 'dlv_swept'])
})

test('a slow receiver keeps neither its own later deliveries nor those of others waiting', async (t) => {
  const end = Promise.withResolvers<boolean>()
  t.after(() => end.resolve(false)) // before the relays close, which wait for it
  const { commit, startRelay, left } = await openRelays(t)
  const { started, engine } = noting()
  const attempted: string[] = []
  await startRelay(engine, async (id) => {
    attempted.push(id)
    return id.startsWith('slow') ? end.promise : true
  })
  await commit((em) => {
    for (const n of numbers(40)) deliver(em, `slow${n}`, about, `we_${n}`)
    deliver(em, 'after slow0', about, 'we_0')
    deliver(em, 'quick', other)
  })
  await until(() => attempted.length === 42, 'all are attempted, although forty wait for their receivers')
  assert.ok(attempted.indexOf('slow0') < attempted.indexOf('after slow0'), 'in the order of their endpoint')
  end.resolve(false)
  await until(async () => (await left()) === 0, 'what has to wait goes on in its process')
  assert.equal(started.length, 40)
})

test('a merchant whose receiver is slow does not count as overloaded', async (t) => {
  const end = Promise.withResolvers<boolean>()
  t.after(() => end.resolve(true)) // before the relays close, which wait for it
  const { commit, startRelay } = await openRelays(t)
  const { database } = await startRelay(noting().engine, async () => end.promise)
  await commit((em) => deliver(em, 'dlv_slow'))
  const em = database.orm.em.fork()
  const sql = `update outbox set created_at = now() - interval '1 minute' where last_error is not null returning id`
  await until(async () => (await em.execute(sql)).length === 1, 'its receiver is found slow')
  assert.equal(await noteOverloaded(em), 0)
})

test('an attempt that could not be made is made again, and later rows of its endpoint wait for it', async (t) => {
  const { commit, left, startRelay } = await openRelays(t)
  const { started, engine } = noting()
  const made: string[] = []
  let failures = 1
  await startRelay(engine, async (id) => {
    if (id === 'dlv_1' && failures-- > 0) throw new Error('the database is away')
    made.push(id)
    return true
  })
  await commit((em) => {
    deliver(em, 'dlv_1')
    deliver(em, 'dlv_2')
    deliver(em, 'dlv_other', about, 'we_other')
  })
  await until(async () => (await left()) === 0, 'everything is delivered')
  assert.deepEqual([made, started], [['dlv_other', 'dlv_1', 'dlv_2'], []])
})

test('while no process may start, first attempts go on, also of a merchant behind many that wait', async (t) => {
  const { commit, left, startRelay } = await openRelays(t)
  const started: string[] = []
  const dispatch: Engine['dispatch'] = async ({ resourceId }) => void started.push(resourceId)
  let waiting = 1_000
  const attempted: string[] = []
  await startRelay({ dispatch, backlogOf: async () => ({ waiting, takenPerSecond: 0 }) }, async (id) => {
    attempted.push(id)
    return !id.startsWith('failing')
  })
  await commit((em) => {
    for (const n of numbers(300)) deliver(em, `failing${n}`, about, `we_${n}`)
  })
  await until(() => started.length >= 10, 'the first ones are started on credit')
  await sleep(300)
  await commit((em) => deliver(em, 'quiet', other))
  await until(() => attempted.includes('quiet'), 'the other merchant gets its event')
  assert.ok(started.length < 100, `${started.length} were started`)
  waiting = 0
  await until(async () => (await left()) === 0, 'everything is dispatched')
  assert.equal(new Set(started).size, 300)
})

test('a worker that stops leaves deliveries to their processes', async (t) => {
  const { commit, left, startRelay } = await openRelays(t)
  const { started, engine } = noting()
  const { relay } = await startRelay(engine, async () => assert.fail('no attempt is made'))
  relay.stopAttempts()
  await commit((em) => deliver(em, 'dlv_1'))
  await until(async () => (await left()) === 0, 'it is dispatched')
  assert.deepEqual(started, ['dlv_1'])
})
