import type { createActivities } from '../../activities/index.ts'
import { Refusal } from '../../domain/refusal.ts'

type Activities = ReturnType<typeof createActivities>
type Step = (...args: unknown[]) => Promise<unknown>
type Outcome = { answer: unknown } | { error: unknown }

/** Of each process only the first steps of a name are made again: one that polls for days makes hundreds. */
const againMax = 3

/**
 * Makes steps twice with the same arguments, as the engine does with a step that has done its whole work and whose
 * answer is lost. The process gets the second answer. `rig` is for a stack.
 */
export function makeStepsAgain() {
  const made = new Map<string, number>()
  const refused: string[] = []

  const twice =
    (name: string, step: Step): Step =>
    async (...args) => {
      const times = (made.get(`${name} ${String(args[0])}`) ?? 0) + 1
      made.set(`${name} ${String(args[0])}`, times)
      if (times > againMax) return step(...args)
      const first = await outcomeOf(step, args)
      const second = await outcomeOf(step, args)
      if ('answer' in second) return second.answer
      if ('answer' in first && second.error instanceof Refusal) refused.push(`${name}: ${second.error.message}`)
      throw second.error
    }

  const all = (steps: object) =>
    Object.fromEntries(Object.entries(steps).map(([name, step]) => [name, twice(name, step as Step)]))

  return {
    rig: ({ main, webhooks }: Activities) => ({ main: all(main), webhooks: all(webhooks) }) as unknown as Activities,
    /** Steps that have refused the second time what they had done the first time. */
    refused,
  }
}

const outcomeOf = (step: Step, args: unknown[]): Promise<Outcome> =>
  step(...args).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
