import type { EventType } from '../domain/event.ts'
import type { Answer, Api } from './api.ts'
import type { Output } from './output.ts'
import { recipes, type Step } from './recipe.ts'

/** Brings an event about and shows each call that it takes. */
export async function trigger({ call }: Api, output: Output, type: EventType): Promise<void> {
  const steps: { call: string; ids: Record<string, string> }[] = []
  const step: Step = async (what, request) => {
    const made = call({ method: 'POST', ...request })
    const answer = await output.step(what, made, (value) => tellIds(idsIn(value)))
    steps.push({ call: `POST ${request.path}`, ids: idsIn(answer) })
    return answer
  }
  await recipes[type](step)
  output.show({ type, steps }, () => [`Triggered ${type}.`])
}

/** The ids at the top of an answer, by the names of their fields. */
const idsIn = (answer: Answer): Record<string, string> =>
  Object.fromEntries(
    Object.entries(answer).filter(
      (entry): entry is [string, string] => /^(id|.+_id)$/.test(entry[0]) && typeof entry[1] === 'string',
    ),
  )

const tellIds = (ids: Record<string, string>): string =>
  Object.entries(ids)
    .map(([name, id]) => `  ${name} ${id}`)
    .join('')
