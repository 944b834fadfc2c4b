import { readdirSync } from 'node:fs'
import { operationIdOf } from '../../api/http/operation-id.ts'
import { operations } from '../../api/operations.ts'
import { errorStories } from './example-errors.ts'
import { createNormalizer } from './normalize-example.ts'
import { nameOf, type Stage, type Story } from './example-stage.ts'

// The calls that are the examples of the API's documents. Each file of the folder is read, so that a new resource is
// one new file. They run in the order of the files' names; the operations that only read come last, of what was made.
const folder = new URL('./examples/', import.meta.url)
const files = readdirSync(folder).toSorted()
const parts = await Promise.all(
  files.map(async (file) => [file, (await import(new URL(file, folder).href)) as { stories: Stories }] as const),
)

export type Stories = Record<string, Story>

/** Makes every example. Returns what went wrong, a sentence each. */
export async function runStories(stage: Stage): Promise<string[]> {
  const problems: string[] = []
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: Error) => problems.push(`${what}: ${error.message}`))
  }
  for (const [file, { stories }] of parts) {
    for (const [name, story] of Object.entries(stories)) await attempt(`${file} ${name}`, () => story(stage))
  }
  for (const operation of operations) {
    const { method, query, auth } = operation
    if (method !== 'get' || stage.recorded[operationIdOf(operation)]) continue
    if (auth.every((kind) => kind.endsWith('Token') || kind === 'clientSecret')) continue
    const isList = query !== undefined && 'limit' in query.properties
    const sent = isList ? { query: { limit: 2 } } : {}
    await attempt(nameOf(operation), () => stage.show(nameOf(operation), sent))
  }
  for (const [code, refuse] of Object.entries(errorStories)) {
    await attempt(code, async () => {
      const { body, text } = await refuse(stage)
      if (body['error_code'] !== code) throw new Error(`the answer is ${text}`)
      const { normalize } = createNormalizer(stage.stack.baseUrl, await stage.stack.clock.now())
      stage.errors[code] = normalize(body as Record<string, unknown>)
    })
  }
  return problems
}
