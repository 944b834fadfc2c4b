import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type EntityManager, inTransaction } from '../../db/core/database.ts'
import { openDatabase } from '../../db/open-database.ts'
import { signalProcess, startProcess } from '../../db/core/start-process.ts'
import type { Backlogs, Engine } from '../../engine/engine.ts'
import { createLogger } from '../../engine/logger.ts'
import { startOutboxRelay } from '../../engine/outbox-relay.ts'
import { createDatabase } from '../support/database.ts'

const about = { accountId: 'acct_1', environment: 'sandbox', status: 'pending', waitingOn: 'receiver', summary: 'one' }
const other = { ...about, accountId: 'acct_2' }
const logger = createLogger({ logLevel: 'silent' }, 'test')
const options = { inFlightMax: 16, waitingMax: 20_000, sweepMs: 20 }
const unlimited = async () => null

type DispatchedRow = { dispatch: Engine['dispatch'] } & Backlogs

/** A database of the test's own, and relays on it as in as many processes; all end with the test. */
async function open(t: TestContext) {
  const made = await createDatabase()
  const opened: Database[] = []
  const relays: { close(): Promise<void> }[] = []
  const connect = async () => {
    const database = await openDatabase(made.url, 4)
    opened.push(database)
    return database
  }
  t.after(async () => {
    await Promise.all(relays.map((relay) => relay.close()))
    await Promise.all(opened.map(({ orm }) => orm.close()))
    await made.drop()
  })
  const api = await connect()
  return {
    commit: (work: (em: EntityManager) => void) => inTransaction(api, async (em) => work(em)),
    left: async () => Number((await api.orm.em.fork().execute('select count(*) from outbox'))[0]?.['count']),
    async startRelay(engine: DispatchedRow): Promise<Database> {
      const database = await connect()
      relays.push(startOutboxRelay(database, engine, logger, options))
      return database
    },
  }
}

async function until(holds: () => boolean | Promise<boolean>, what: string, withinMs = 20_000): Promise<void> {
  const limit = performance.now() + withinMs
  while (!(await holds())) {
    assert.ok(performance.now() < limit, `it did not come about that ${what}`)
    await sleep(10)
  }
}

/** The first telling of each; being told again is harmless. */
const firsts = (told: string[]) => [...new Set(told)]
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

for (const dispatcher of ['the process that commits', 'a sweep']) {
  test(`${dispatcher} tells what is in one lane in its order, and no other lane waits for that`, async (t) => {
    const { commit, startRelay } = await open(t)
    const told: string[] = []
    const others = Promise.withResolvers<void>()
    const dispatch: Engine['dispatch'] = async ({ resourceId, signal }) => {
      if (resourceId === 'slow' && !signal) await others.promise // would wait for ever if the others came after it
      told.push(`${resourceId} ${signal?.name ?? 'starts'}`)
      if (told.length === 9) others.resolve()
    }
    const promise = (em: EntityManager) => {
      startProcess(em, 'webhook-endpoint', 'slow', about)
      signalProcess(em, 'webhook-endpoint', 'slow', about, 'failed')
      startProcess(em, 'webhook-delivery', 'second', about, 'endpoint/slow') // as of one endpoint
      for (let n = 0; n < 9; n++) startProcess(em, 'webhook-delivery', `quick${n}`, about)
    }
    if (dispatcher === 'a sweep') await commit(promise)
    const worker = await startRelay({ dispatch, backlogOf: unlimited })
    if (dispatcher !== 'a sweep') await inTransaction(worker, async (em) => promise(em))
    await until(() => told.length >= 12, 'all is told')
    assert.deepEqual(told.slice(9), ['slow starts', 'slow failed', 'second starts'])
    assert.equal(new Set(told.slice(0, 9)).size, 9)
  })
}

for (const order of ['one lane after another', 'lanes in turns']) {
  test(`two relays tell a commit of 450 rows, ${order}, in the order of each lane`, async (t) => {
    const { commit, startRelay, left } = await open(t)
    const told: string[] = []
    const dispatch: Engine['dispatch'] = async ({ resourceId }) => {
      await sleep(Math.random() * 4)
      told.push(resourceId)
    }
    const orderingKeyOf = (n: number) => (order === 'lanes in turns' ? n % 3 : Math.floor(n / 150))
    await commit((em) => {
      for (const n of numbers(450)) {
        startProcess(em, 'webhook-delivery', `we_${orderingKeyOf(n)} ${1000 + n}`, about, `we_${orderingKeyOf(n)}`)
      }
    })
    await Promise.all([startRelay({ dispatch, backlogOf: unlimited }), startRelay({ dispatch, backlogOf: unlimited })])
    await until(async () => (await left()) === 0, 'all is told')
    assert.equal(firsts(told).length, 450)
    for (const orderingKey of ['we_0', 'we_1', 'we_2']) {
      const withOrderingKey = firsts(told).filter((each) => each.startsWith(orderingKey))
      assert.equal(withOrderingKey.length, 150)
      assert.deepEqual(withOrderingKey, withOrderingKey.toSorted(), 'nothing was overtaken')
    }
  })
}

test('what could not be told is not overtaken by what comes after it in its lane', async (t) => {
  const { commit, startRelay, left } = await open(t)
  const told: string[] = []
  let failures = 2
  const dispatch: Engine['dispatch'] = async ({ resourceId }) => {
    if (resourceId === 'we_0 1010' && failures-- > 0) throw new Error('not now')
    told.push(resourceId)
  }
  await commit((em) => {
    for (const n of numbers(260)) startProcess(em, 'webhook-delivery', `we_0 ${1000 + n}`, about, 'we_0')
    for (const n of numbers(30)) startProcess(em, 'webhook-delivery', `we_1 ${1000 + n}`, about, 'we_1')
  })
  await Promise.all([startRelay({ dispatch, backlogOf: unlimited }), startRelay({ dispatch, backlogOf: unlimited })])
  await until(async () => (await left()) === 0, 'all is told')
  const failing = firsts(told).filter((each) => each.startsWith('we_0'))
  assert.equal(failing.length, 260)
  assert.deepEqual(failing, failing.toSorted())
  const lastOfOther = told.indexOf('we_1 1029')
  assert.ok(lastOfOther < told.indexOf('we_0 1010'), 'another lane does not wait for it')
})

for (const dispatcher of ['swept', "the relay's own"]) {
  test(`a backlog of one merchant (${dispatcher}) does not stand before what another promises`, async (t) => {
    const { commit, startRelay } = await open(t)
    const told: string[] = []
    const dispatch: Engine['dispatch'] = async ({ resourceId }) => {
      await sleep(2)
      told.push(resourceId)
    }
    const flood = (em: EntityManager) => {
      for (const n of numbers(2_000)) startProcess(em, 'webhook-delivery', `noisy${n}`, about)
    }
    const quiet = (em: EntityManager) => startProcess(em, 'webhook-delivery', 'quiet', other)
    if (dispatcher === 'swept') await commit(flood)
    const worker = await startRelay({ dispatch, backlogOf: unlimited })
    if (dispatcher !== 'swept') await inTransaction(worker, async (em) => flood(em))
    await until(() => told.length >= 50, 'the backlog is being told')
    await (dispatcher === 'swept' ? commit(quiet) : inTransaction(worker, async (em) => quiet(em)))
    const before = told.length
    await until(() => told.includes('quiet'), 'the other is told')
    const overtaking = told.indexOf('quiet') - before
    assert.ok(overtaking < 500, `${overtaking} of the backlog were told before it`)
  })
}

test('while the workers take nothing, nothing starts, and what has begun is told', async (t) => {
  const { commit, startRelay, left } = await open(t)
  const told: string[] = []
  let waiting = 1_000
  const dispatch: Engine['dispatch'] = async ({ resourceId, signal }) => {
    told.push(`${resourceId} ${signal?.name ?? 'starts'}`)
  }
  const backlogOf = async (queue: string) => ({ waiting: queue === 'webhooks' ? waiting : 0, takenPerSecond: 0 })
  await startRelay({ dispatch, backlogOf })
  await commit((em) => {
    for (const n of numbers(300)) startProcess(em, 'webhook-delivery', `d${n}`, about)
  })
  await until(() => told.length >= 10, 'the first ones are started on credit')
  await sleep(300)
  const started = told.length
  assert.ok(started < 100, `${started} were started`)
  await commit((em) => {
    signalProcess(em, 'webhook-delivery', 'begun', about, 'attemptNow')
    for (const n of numbers(100)) startProcess(em, 'checkout', `c${n}`, about)
  })
  const here = () => ['begun attemptNow', 'c99 starts'].every((each) => told.includes(each))
  await until(here, 'what has begun and what is of the other queue is told')
  assert.ok(told.filter((each) => each.startsWith('d')).length < started + 20, 'but for one now and then')
  waiting = 0
  await until(async () => (await left()) === 0, 'all is told')
  assert.equal(firsts(told).length, 401)
})

test('a relay with little to do asks the engine nothing; one that gets no answer starts all the same', async (t) => {
  const { commit, startRelay, left } = await open(t)
  let [asked, told] = [0, 0]
  const dispatch: Engine['dispatch'] = async () => void (told += 1)
  const backlogOf = async () => {
    asked += 1
    throw new Error('the engine does not say')
  }
  await startRelay({ dispatch, backlogOf })
  await commit((em) => {
    for (const n of numbers(10)) startProcess(em, 'checkout', `c${n}`, about)
  })
  await until(async () => (await left()) === 0, 'all is told')
  assert.deepEqual([told, asked], [10, 0])
  await commit((em) => {
    for (const n of numbers(80)) startProcess(em, 'checkout', `more${n}`, about)
  })
  await until(async () => (await left()) === 0, 'all is told')
  assert.equal(told, 90)
})
