import { setTimeout } from 'node:timers/promises'
import type { EventType } from '../domain/webhook/event.ts'
import type { Answer, Api } from './api.ts'
import { Failure } from './failure.ts'
import type { Output } from './output.ts'
import { recipes } from './recipe.ts'
import type { Step, StepCall } from './sale-steps.ts'

const pauseMs = 500
const triesMax = 60

/** Causes an event and shows each call. In live nothing is called: the recipes sell, and invent people. */
export async function trigger(api: Api, output: Output, type: EventType): Promise<void> {
  if (api.isLive)
    throw new Failure('SANDBOX_ONLY', 'Events are triggered in the sandbox only. Use a key of the sandbox.')
  const steps: { call: string; ids: Record<string, string> }[] = []
  const step: Step = async (what, request) => {
    const answer = await output.step(what, answerTo(api, what, request), (value) => printIds(idsIn(value)))
    steps.push({ call: `${request.method ?? 'POST'} ${request.path}`, ids: idsIn(answer) })
    return answer
  }
  await recipes[type](step)
  output.show({ type, steps }, () => [`Triggered ${type}.`])
}

async function answerTo({ call }: Api, what: string, { until, ...request }: StepCall): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await call({ method: 'POST', ...request })
    if (!until || until(answer)) return answer
    if (tries === triesMax) throw new Failure('TIMEOUT', `Not done within 30 seconds: ${what}.`)
    await setTimeout(pauseMs)
  }
}

/** The ids at the top of an answer, by the names of their fields. */
const idsIn = (answer: Answer): Record<string, string> =>
  Object.fromEntries(
    Object.entries(answer).filter(
      (entry): entry is [string, string] => /^(id|.+_id)$/.test(entry[0]) && typeof entry[1] === 'string',
    ),
  )

const printIds = (ids: Record<string, string>): string =>
  Object.entries(ids)
    .map(([name, id]) => `  ${name} ${id}`)
    .join('')
