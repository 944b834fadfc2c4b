import { AsyncLocalStorage } from 'node:async_hooks'
import { Context } from '@temporalio/activity'
import type { createActivities } from '../../activities/index.ts'
import type { Deps } from '../../activities/deps.ts'

type Activities = ReturnType<typeof createActivities>
type Step = (...args: unknown[]) => Promise<unknown>
type Outcome = { answer: unknown } | { error: unknown }

/** One try of a step, which is cut off at the place of this number: before or after a commit, or a call outside. */
type Try = {
  left: number
  how: 'dies' | 'stands still'
  place: string | null
  /** Settled where the try stands still. */
  still: PromiseWithResolvers<void>
  goOn: PromiseWithResolvers<void>
}

const tries = new AsyncLocalStorage<Try>()

/** A place where the running try may be cut off. A try that has died does nothing more. */
async function place(name: string): Promise<void> {
  const now = tries.getStore()
  if (!now) return
  if (now.place !== null && now.how === 'dies') throw new Error('the worker has died')
  now.left -= 1
  if (now.left !== 0) return
  // Whoever stands still within a transaction would keep its locks, and the next try would wait for them.
  if (name === commitFails) now.how = 'dies'
  now.place = name
  if (now.how === 'dies') throw new Error('the worker has died')
  now.still.resolve()
  await now.goOn.promise
}

const commitFails = 'at a commit that fails'

/**
 * Cuts steps off at each place in turn: before and after each commit, each call to a rail, each mail and each webhook,
 * and at a commit that fails. At each place one try dies, and another one stands still, while the next try of the step
 * goes further. A try that stood still goes on only after its process's next step. `rig` is for a stack.
 */
export function cutOffSteps() {
  const places = new Map<string, number>()
  const refused: string[] = []
  const seen = new Set<string>()
  /** Of each process, the tries that stand still. */
  const standing = new Map<string, Try[]>()
  const ends: Promise<unknown>[] = []
  let isOn = false

  /** Makes a step until a try is not cut off, and returns that one's outcome. */
  async function make(owner: string, name: string, step: Step, args: unknown[], stillNow: Try[]): Promise<Outcome> {
    for (let n = 2; ; n++) {
      const how = n % 2 === 0 ? 'dies' : 'stands still'
      const now: Try = {
        left: Math.floor(n / 2),
        how,
        place: null,
        still: Promise.withResolvers(),
        goOn: Promise.withResolvers(),
      }
      const done = tries.run(now, () => outcomeOf(step, args))
      await Promise.race([done, now.still.promise])
      if (now.place === null) return done
      places.set(`${name} ${now.place}`, (places.get(`${name} ${now.place}`) ?? 0) + 1)
      if (now.how === 'dies') continue
      stillNow.push(now)
      // The engine has given this step up, or another one was made beside it: nobody else would let this try go on.
      if (standing.get(owner) !== stillNow) now.goOn.resolve()
      ends.push(done.then((late) => 'error' in late && refused.push(`${name} ${now.place}: ${String(late.error)}`)))
    }
  }

  const cutOff =
    (name: string, step: Step): Step =>
    async (...args) => {
      const owner = processOfStep()
      const isNew = !seen.has(`${owner} ${name}`)
      seen.add(`${owner} ${name}`)
      if (!isOn || !isNew) return step(...args)
      const earlier = standing.get(owner) ?? []
      const stillNow: Try[] = []
      standing.set(owner, stillNow)
      const making = make(owner, name, step, args, stillNow)
      ends.push(making)
      const outcome = await making
      for (const { goOn } of earlier) goOn.resolve()
      if ('error' in outcome) throw outcome.error
      return outcome.answer
    }

  const all = (steps: object) =>
    Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, cutOff(name, step as Step)]))

  return {
    rig({ main, webhooks }: Activities, deps: Deps): Activities {
      addPlaces(deps)
      return { main: all(main), webhooks: all(webhooks) } as unknown as Activities
    },
    /** Cuts off the first step of each name of the processes that work meanwhile, and lets all go on at the end. */
    async during(work: () => Promise<unknown>): Promise<void> {
      isOn = true
      await work().finally(() => (isOn = false))
      for (const now of [...standing.values()].flat()) now.goOn.resolve()
      standing.clear()
      while (ends.length > 0) await Promise.all(ends.splice(0))
    },
    /** Where tries were cut off, and how often. */
    places,
    /** Late tries that were refused, or have failed. */
    refused,
  }
}

function processOfStep(): string {
  try {
    return Context.current().info.workflowExecution?.workflowId ?? ''
  } catch {
    return 'relay' // a first attempt of a delivery, which no process has asked for
  }
}

const outcomeOf = (step: Step, args: unknown[]): Promise<Outcome> =>
  step(...args).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )

/** Puts places around whatever a step does that stays. */
function addPlaces({ database, rails, mailer, webhooks }: Deps): void {
  const { em } = database.orm
  const transactional = em.transactional.bind(em)
  em.transactional = async (work, options) => {
    await place('before a commit')
    const done = await transactional(async (tx) => {
      const result = await work(tx)
      if (tries.getStore()) await tx.flush()
      await place(commitFails)
      return result
    }, options)
    await place('after a commit').catch(async (error: unknown) => {
      // A sweep would take its rows 2 s later, which may be days of skipped time.
      await em.fork().execute('update outbox set retry_at = now()')
      throw error
    })
    return done
  }
  const sandbox = rails.in('sandbox')
  for (const make of ['of', 'paying', 'cardSetupsOf'] as const) {
    const original = sandbox[make] as (...args: unknown[]) => object
    Object.assign(sandbox, { [make]: (...args: unknown[]) => withPlaces(original(...args)) })
  }
  for (const rail of ['conversions', 'virtualAccounts'] as const)
    Object.assign(sandbox, { [rail]: withPlaces(sandbox[rail]) })
  Object.assign(mailer, { deliver: between('deliver', mailer.deliver.bind(mailer) as Step) })
  Object.assign(webhooks, { send: between('send', webhooks.send.bind(webhooks) as Step) })
}

const withPlaces = <T extends object>(target: T): T =>
  new Proxy(target, {
    get(of, key) {
      const value = Reflect.get(of, key) as unknown
      return typeof value === 'function' ? between(String(key), value.bind(of) as Step) : value
    },
  })

const between =
  (name: string, call: Step): Step =>
  async (...args) => {
    await place(`before ${name}`)
    const answer = await call(...args)
    await place(`after ${name}`)
    return answer
  }
