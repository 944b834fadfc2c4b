import { CircuitState, circuitBreaker, ConsecutiveBreaker, handleAll } from 'cockatiel'
import type { ProviderName } from '../domain/rail-provider.ts'

/** One request to a provider: its method and path without ids, and how it was answered. */
export type RailCall = {
  provider: ProviderName
  call: string
  /** Of the answer. `no answer`: there was none in time. `not sent`: the provider is down. */
  status: number | 'no answer' | 'not sent'
  ms: number
}

/** Where the requests to providers are noted. Nothing of what was sent or answered is in them. */
export type NoteRailCall = (call: RailCall) => void

/** A request that has not left, because the provider is down. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
  readonly code = 'NOT_SENT'
}

/** The line to a provider, over which all its requests go. */
export type Line = {
  /**
   * Whether nothing is sent at the moment: the provider has failed several times in a row, and is not tried again yet,
   * or the one request that tries it has no answer yet.
   */
  isDown(): boolean
  /** Sends a request. While the provider is down it throws `NotSent` at once, and only then. */
  send<Answer extends { status: number }>(call: string, request: () => Promise<Answer>): Promise<Answer>
}

export type LineOptions = {
  note?: NoteRailCall
  /** Failures in a row after which the provider is down. */
  failuresMax?: number
  /** How long it then rests until one request tries whether it is back, in milliseconds. */
  restsMs?: number
}

/** Failures never make the provider count as down. For tools, which have nothing else to do. */
export const neverDown: LineOptions = { failuresMax: Infinity }

const usual = { note: () => undefined, failuresMax: 5, restsMs: 10_000 }

/** The statuses by which a provider says that it cannot serve us now: too many requests, or an error of its own. */
const isFailing = (status: number): boolean => status === 429 || status >= 500

/**
 * The line to a provider of this process. A provider that does not answer, answers 5xx or limits us is soon left alone:
 * whoever waits gets an answer at once, and what has to be asked is asked again by the engine. After its rest one
 * request tries whether it is back; the others do not wait for the answer to that one.
 */
export function createLine(provider: ProviderName, options: LineOptions = {}): Line {
  const { note, failuresMax, restsMs } = { ...usual, ...options }
  const circuit = circuitBreaker(
    handleAll.orWhenResult((answer) => isFailing((answer as { status: number }).status)),
    { halfOpenAfter: restsMs, breaker: new ConsecutiveBreaker(failuresMax) },
  )
  let triedAgainAt = 0
  circuit.onBreak(() => void (triedAgainAt = performance.now() + restsMs))
  /** Half open: one request has been sent to try the provider. The circuit itself would let others wait for it. */
  const isTried = () => circuit.state === CircuitState.HalfOpen
  return {
    isDown: () => isTried() || (circuit.state === CircuitState.Open && performance.now() < triedAgainAt),
    async send(call, request) {
      const begun = performance.now()
      let isSent = false
      let status: RailCall['status'] | null = null
      try {
        if (isTried()) throw new NotSent(`${provider} is down`)
        const answer = await circuit.execute(() => {
          isSent = true
          return request()
        })
        status = answer.status
        return answer
      } catch (error) {
        throw isSent ? error : new NotSent(`${provider} is down`)
      } finally {
        const ms = Math.round(performance.now() - begun)
        note({ provider, call, status: status ?? (isSent ? 'no answer' : 'not sent'), ms })
      }
    },
  }
}
