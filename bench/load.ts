import { Pool } from 'undici'
import { median } from './figure.ts'

/** The result of a load: calls a second, and the median time of a call. */
export type Sample = { perSecond: number; medianMs: number }

/** Makes `calls` calls, `inFlight` at a time. A call begins as soon as another has ended. */
export async function load(inFlight: number, calls: number, call: (index: number) => Promise<void>): Promise<Sample> {
  const took: number[] = []
  let next = 0
  const startedAt = performance.now()
  await together(inFlight, async () => {
    for (let index = next++; index < calls; index = next++) {
      const at = performance.now()
      await call(index)
      took.push(performance.now() - at)
    }
  })
  return { perSecond: (calls * 1000) / (performance.now() - startedAt), medianMs: median(took) }
}

/** Keeps `inFlight` pieces of work going. Returns how many end a second, counted from `warmMs` on for `countMs`. */
export async function sustain(
  inFlight: number,
  { warmMs, countMs }: { warmMs: number; countMs: number },
  work: () => Promise<void>,
): Promise<number> {
  const from = performance.now() + warmMs
  const to = from + countMs
  let ended = 0
  await together(inFlight, async () => {
    while (performance.now() < to) {
      await work()
      const now = performance.now()
      if (now >= from && now < to) ended += 1
    }
  })
  return (ended * 1000) / countMs
}

const together = (count: number, work: () => Promise<void>) => Promise.all(Array.from({ length: count }, work))

/** Measures the floor and our code in turns, so that other load on the machine affects both. */
export async function rounds<T>(
  count: number,
  floor: (round: number) => Promise<T>,
  ours: (round: number) => Promise<T>,
): Promise<{ floor: T; ours: T }[]> {
  const measured = []
  for (let round = 0; round < count; round++) measured.push({ floor: await floor(round), ours: await ours(round) })
  return measured
}

type Call = { method?: 'GET' | 'POST' | 'PUT'; path: string; headers?: Record<string, string>; body?: object }

/** A client that keeps its connections. It reads the whole answer, and throws on an error status. */
export function createCaller(baseUrl: string, connections: number) {
  const pool = new Pool(baseUrl, { connections, pipelining: 1 })
  return {
    async call({ method = 'GET', path, headers = {}, body }: Call): Promise<string> {
      const sent = body ? { ...headers, 'content-type': 'application/json' } : headers
      const answer = await pool.request({ method, path, headers: sent, body: body ? JSON.stringify(body) : null })
      const text = await answer.body.text()
      if (answer.statusCode >= 300) throw new Error(`${method} ${path} answers ${answer.statusCode}: ${text}`)
      return text
    },
    close: () => pool.close(),
  }
}

export type Caller = ReturnType<typeof createCaller>
