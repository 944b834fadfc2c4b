import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { signalProcess, startProcess } from '../../db/core/start-process.ts'
import type { Engine } from '../../engine/engine.ts'
import { startLog } from '../support/log.ts'
import { about, openRelays } from '../support/relays.ts'
import { until } from '../support/until.ts'

const other = { ...about, accountId: 'acct_2' }
const unlimited = async () => null

/** The first dispatch of each; a second one is harmless. */
const firsts = (dispatched: string[]) => [...new Set(dispatched)]
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

for (const dispatcher of ['the process that commits', 'a sweep']) {
  test(`${dispatcher} dispatches rows of one ordering key in order, and other keys do not wait for them`, async (t) => {
    const { commit, startRelay } = await openRelays(t)
    const dispatched: string[] = []
    const others = Promise.withResolvers<void>()
    const dispatch: Engine['dispatch'] = async ({ resourceId, signal }) => {
      if (resourceId === 'slow' && !signal) await others.promise // waits for ever if the others come after it
      dispatched.push(`${resourceId} ${signal?.name ?? 'starts'}`)
      if (dispatched.length === 9) others.resolve()
    }
    const addRows = (em: EntityManager) => {
      startProcess(em, 'webhook-endpoint', 'slow', about)
      signalProcess(em, 'webhook-endpoint', 'slow', about, 'failed')
      startProcess(em, 'webhook-delivery', 'second', about, 'endpoint/slow') // as of one endpoint
      for (let n = 0; n < 9; n++) startProcess(em, 'webhook-delivery', `quick${n}`, about)
    }
    if (dispatcher === 'a sweep') await commit(addRows)
    const { database: worker } = await startRelay({ dispatch, backlogOf: unlimited })
    if (dispatcher !== 'a sweep') await inTransaction(worker, async (em) => addRows(em))
    await until(() => dispatched.length >= 12, 'everything is dispatched')
    assert.deepEqual(dispatched.slice(9), ['slow starts', 'slow failed', 'second starts'])
    assert.equal(new Set(dispatched.slice(0, 9)).size, 9)
  })
}

for (const order of ['one ordering key after another', 'ordering keys in turns']) {
  test(`two relays dispatch a commit of 450 rows (${order}) in the order of each key`, async (t) => {
    const { commit, startRelay, left } = await openRelays(t)
    const dispatched: string[] = []
    const dispatch: Engine['dispatch'] = async ({ resourceId }) => {
      await sleep(Math.random() * 4)
      dispatched.push(resourceId)
    }
    const orderingKeyOf = (n: number) => (order === 'ordering keys in turns' ? n % 3 : Math.floor(n / 150))
    await commit((em) => {
      for (const n of numbers(450)) {
        startProcess(em, 'webhook-delivery', `we_${orderingKeyOf(n)} ${1000 + n}`, about, `we_${orderingKeyOf(n)}`)
      }
    })
    await Promise.all([startRelay({ dispatch, backlogOf: unlimited }), startRelay({ dispatch, backlogOf: unlimited })])
    await until(async () => (await left()) === 0, 'everything is dispatched')
    assert.equal(firsts(dispatched).length, 450)
    for (const orderingKey of ['we_0', 'we_1', 'we_2']) {
      const withOrderingKey = firsts(dispatched).filter((each) => each.startsWith(orderingKey))
      assert.equal(withOrderingKey.length, 150)
      assert.deepEqual(withOrderingKey, withOrderingKey.toSorted(), 'nothing was overtaken')
    }
  })
}

test('a row that could not be dispatched is not overtaken by later rows with its ordering key', async (t) => {
  const { commit, startRelay, left } = await openRelays(t)
  const dispatched: string[] = []
  let failures = 2
  const dispatch: Engine['dispatch'] = async ({ resourceId }) => {
    if (resourceId === 'we_0 1010' && failures-- > 0) throw new Error('not now')
    dispatched.push(resourceId)
  }
  await commit((em) => {
    for (const n of numbers(260)) startProcess(em, 'webhook-delivery', `we_0 ${1000 + n}`, about, 'we_0')
    for (const n of numbers(30)) startProcess(em, 'webhook-delivery', `we_1 ${1000 + n}`, about, 'we_1')
  })
  await Promise.all([startRelay({ dispatch, backlogOf: unlimited }), startRelay({ dispatch, backlogOf: unlimited })])
  await until(async () => (await left()) === 0, 'everything is dispatched')
  const failing = firsts(dispatched).filter((each) => each.startsWith('we_0'))
  assert.equal(failing.length, 260)
  assert.deepEqual(failing, failing.toSorted())
  const lastOfOther = dispatched.indexOf('we_1 1029')
  assert.ok(lastOfOther < dispatched.indexOf('we_0 1010'), 'another ordering key does not wait for it')
})

for (const dispatcher of ['swept', "the relay's own"]) {
  test(`a backlog of one merchant (${dispatcher}) does not delay the dispatches of another`, async (t) => {
    const { commit, startRelay } = await openRelays(t)
    const dispatched: string[] = []
    const dispatch: Engine['dispatch'] = async ({ resourceId }) => {
      await sleep(2)
      dispatched.push(resourceId)
    }
    const flood = (em: EntityManager) => {
      for (const n of numbers(2_000)) startProcess(em, 'webhook-delivery', `noisy${n}`, about)
    }
    const quiet = (em: EntityManager) => startProcess(em, 'webhook-delivery', 'quiet', other)
    if (dispatcher === 'swept') await commit(flood)
    const { database: worker } = await startRelay({ dispatch, backlogOf: unlimited })
    if (dispatcher !== 'swept') await inTransaction(worker, async (em) => flood(em))
    await until(() => dispatched.length >= 50, 'the backlog is being dispatched')
    await (dispatcher === 'swept' ? commit(quiet) : inTransaction(worker, async (em) => quiet(em)))
    const before = dispatched.length
    await until(() => dispatched.includes('quiet'), 'the other is dispatched')
    const overtaking = dispatched.indexOf('quiet') - before
    assert.ok(overtaking < 500, `${overtaking} of the backlog were dispatched before it`)
  })
}

const begins = (em: EntityManager, id: string, accountId: string) =>
  startProcess(em, 'checkout', id, { ...about, accountId })
const goesOn = (em: EntityManager, id: string, accountId: string) =>
  signalProcess(em, 'webhook-endpoint', id, { ...about, accountId }, 'failed')

for (const { title, kinds, relays } of [
  { title: 'a relay', kinds: [begins], relays: 1 },
  { title: 'two relays', kinds: [begins], relays: 2 },
  { title: 'a relay with two busy kinds', kinds: [begins, goesOn], relays: 1 },
]) {
  test(`the backlogs of four merchants do not delay the dispatches of a fifth: ${title}`, async (t) => {
    const { commit, startRelay } = await openRelays(t)
    const dispatched: string[] = []
    const dispatch: Engine['dispatch'] = async ({ resourceId, about: { accountId } }) => {
      await sleep(10)
      dispatched.push(`${resourceId} of ${accountId}`)
    }
    await commit((em) => {
      for (const kind of kinds) {
        for (const n of numbers(1_200)) kind(em, `${kind.name} ${n}`, `acct_${1 + (n % 4)}`)
        kind(em, `${kind.name} late`, 'acct_5')
      }
    })
    await Promise.all(numbers(relays).map(() => startRelay({ dispatch, backlogOf: unlimited })))
    for (const { name } of kinds) {
      const late = `${name} late of acct_5`
      await until(() => dispatched.includes(late), 'the fifth is dispatched')
      const overtaking = dispatched.slice(0, dispatched.indexOf(late)).filter((each) => each.startsWith(name))
      assert.ok(overtaking.length < 200 * relays, `${overtaking.length} ${name} before it`)
    }
  })
}

test('while workers take no tasks, no process is started, and running ones still get their signals', async (t) => {
  const { commit, startRelay, left } = await openRelays(t)
  const dispatched: string[] = []
  let waiting = 1_000
  const dispatch: Engine['dispatch'] = async ({ resourceId, signal }) => {
    dispatched.push(`${resourceId} ${signal?.name ?? 'starts'}`)
  }
  const backlogOf = async (queue: string) => ({ waiting: queue === 'webhooks' ? waiting : 0, takenPerSecond: 0 })
  await startRelay({ dispatch, backlogOf })
  await commit((em) => {
    for (const n of numbers(300)) startProcess(em, 'webhook-delivery', `d${n}`, about)
  })
  await until(() => dispatched.length >= 10, 'the first ones are started on credit')
  await sleep(300)
  const started = dispatched.length
  assert.ok(started < 100, `${started} were started`)
  await commit((em) => {
    signalProcess(em, 'webhook-delivery', 'begun', about, 'attemptNow')
    for (const n of numbers(100)) startProcess(em, 'checkout', `c${n}`, about)
  })
  const here = () => ['begun attemptNow', 'c99 starts'].every((each) => dispatched.includes(each))
  await until(here, 'the running process and the other queue get their dispatches')
  assert.ok(dispatched.filter((each) => each.startsWith('d')).length < started + 20, 'almost none is started')
  waiting = 0
  await until(async () => (await left()) === 0, 'everything is dispatched')
  assert.equal(firsts(dispatched).length, 401)
})

test('rows whose process only another release knows are left to it, and hold up what follows alone', async (t) => {
  const { commit, startRelay, left } = await openRelays(t)
  const { lines, logger } = startLog()
  const dispatched: string[] = []
  const dispatch: Engine['dispatch'] = async ({ resourceId }) => void dispatched.push(resourceId)
  const add = (em: EntityManager, count: number, whose: typeof about) =>
    em.execute(
      `insert into outbox (process, resource_id, about, lane)
       select 'of-tomorrow', 'id', ?, 'lane ' || n from generate_series(1, ${count}) n`,
      [JSON.stringify(whose)],
    )
  await commit((em) => add(em, 25, about)) // more than are claimed of one turn
  await commit((em) => {
    for (const n of numbers(5)) startProcess(em, 'checkout', `behind many ${n}`, about)
  })
  await commit(async (em) => {
    await add(em, 1, other)
    for (const n of numbers(5)) startProcess(em, 'checkout', `follows ${n}`, other, 'lane 1')
    for (const n of numbers(5)) startProcess(em, 'checkout', `beside ${n}`, other)
  })
  const { database } = await startRelay({ dispatch, backlogOf: unlimited }, undefined, { log: logger })
  await until(async () => (await left()) === 31, 'what is known and may go is dispatched')
  await until(() => lines.length > 0, 'a warning is logged')
  assert.deepEqual([dispatched.length, dispatched.some((each) => each.startsWith('follows'))], [10, false])
  const due = await database.orm.em.fork().execute('select from outbox where attempts = 0 and retry_at <= now()')
  assert.equal(due.length, 31, 'a relay of the other release may take them at once')
  const said = lines.map((line) => JSON.parse(line) as { process: string; rows: number })
  assert.deepEqual(
    said.map(({ process, rows }) => [process, rows]),
    [['of-tomorrow', 26]],
  )
})

test('a relay with few rows does not ask for the backlog; one that gets no answer still dispatches', async (t) => {
  const { commit, startRelay, left } = await openRelays(t)
  let [questions, dispatched] = [0, 0]
  const dispatch: Engine['dispatch'] = async () => void (dispatched += 1)
  const backlogOf = async () => {
    questions += 1
    throw new Error('the engine does not say')
  }
  await startRelay({ dispatch, backlogOf })
  await commit((em) => {
    for (const n of numbers(10)) startProcess(em, 'checkout', `c${n}`, about)
  })
  await until(async () => (await left()) === 0, 'everything is dispatched')
  assert.deepEqual([dispatched, questions], [10, 0])
  await commit((em) => {
    for (const n of numbers(80)) startProcess(em, 'checkout', `more${n}`, about)
  })
  await until(async () => (await left()) === 0, 'everything is dispatched')
  assert.equal(dispatched, 90)
})

test('a relay of one queue leaves the processes of the other to relays of that queue, at once', async (t) => {
  const { startRelay, commit, left } = await openRelays(t)
  const dispatchedBy: Record<string, string[]> = { main: [], webhooks: [] }
  const startOne = (queue: 'main' | 'webhooks') => {
    const dispatch: Engine['dispatch'] = async ({ resourceId }) => void dispatchedBy[queue]?.push(resourceId)
    return startRelay({ dispatch, backlogOf: unlimited }, undefined, { queues: [queue] })
  }
  const addRows = (by: string) => (em: EntityManager) => {
    startProcess(em, 'payout', `${by} payout`, about)
    signalProcess(em, 'webhook-endpoint', `${by} endpoint`, about, 'failed')
    startProcess(em, 'webhook-delivery', `${by} delivery`, about)
  }
  const { database: money } = await startOne('main')
  await inTransaction(money, async (em) => addRows('worker')(em))
  await commit(addRows('api'))
  await until(() => dispatchedBy['main']?.length === 2, 'the payouts are started')
  await sleep(200)
  assert.equal(await left(), 4)

  await startOne('webhooks')
  const tookMs = await until(async () => (await left()) === 0, 'the rest is dispatched')
  assert.ok(tookMs < 1_500, `the worker that committed them keeps nothing back: ${tookMs} ms`)
  assert.deepEqual(firsts(dispatchedBy['main'] ?? []).toSorted(), ['api payout', 'worker payout'])
  const others = ['api delivery', 'api endpoint', 'worker delivery', 'worker endpoint']
  assert.deepEqual(firsts(dispatchedBy['webhooks'] ?? []).toSorted(), others)
})

test('a migration that adds a column while a relay sweeps lets no sweep fail', async (t) => {
  const { commit, startRelay } = await openRelays(t)
  const { lines, logger } = startLog()
  const dispatched: string[] = []
  const dispatch: Engine['dispatch'] = async ({ resourceId }) => void dispatched.push(resourceId)
  const sweeps = async (id: string) => {
    await commit((em) => startProcess(em, 'checkout', id, about))
    await until(() => dispatched.includes(id), `${id} is dispatched`)
  }
  await startRelay({ dispatch, backlogOf: unlimited }, undefined, { log: logger })
  for (const n of numbers(8)) await sweeps(`before ${n}`)
  await commit((em) => em.execute('alter table outbox add column of_tomorrow text'))
  for (const n of numbers(8)) await sweeps(`after ${n}`)
  assert.deepEqual(
    lines.filter((line) => line.includes('could not be swept')),
    [],
  )
})
