import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'

/** How a receiver behaves; `healthy` and `badCertificate` answer with 200, if they are ever asked. */
export const kinds = [
  'flaky',
  'error',
  'hang',
  'reset',
  'rateLimited',
  'gone',
  'drip',
  'redirect',
  'badCertificate',
  'healthy',
] as const
/** `secondTime` refuses first attempts and takes all others. */
export type Kind = (typeof kinds)[number] | 'secondTime'

/** One request as it arrived: when, with what, and whether a secret that the receiver knows verified it. */
export type Heard = {
  at: number
  path: string
  eventId: string
  attempt: number
  sha256: string
  signatures: number
  /** When it was signed, in seconds since the epoch, as it says itself. */
  signedAt: number
  isVerified: boolean
}

export type Question =
  | { about: 'urls' }
  | { about: 'heard'; kind: Kind }
  /** Until this is said every receiver answers with 200. */
  | { about: 'misbehave' }
  | { about: 'learn'; kind: Kind; secret: string }

/**
 * Receivers on this machine, each a server of its own, in a thread of their own so that whoever waits for them is not
 * in their way. `secrets` names them: each verifies what it gets on arrival, by the library of Standard Webhooks.
 */
export async function startReceivers(secrets: Partial<Record<Kind, string>>) {
  const thread = new Worker(new URL('./receiver-thread.ts', import.meta.url), { workerData: secrets })
  const ask = async <Answer>(question: Question): Promise<Answer> => {
    const { port1, port2 } = new MessageChannel()
    thread.postMessage({ question, port: port2 }, [port2])
    const [answer] = (await once(port1, 'message')) as [Answer]
    port1.close()
    return answer
  }
  return {
    urls: await ask<Record<Kind, string>>({ about: 'urls' }),
    heard: (kind: Kind) => ask<Heard[]>({ about: 'heard', kind }),
    /** From now on each behaves as its kind does, and has heard nothing. */
    misbehave: () => ask<void>({ about: 'misbehave' }),
    /** The secret that a receiver knows from now on, beside the one before and no older one. */
    learn: (kind: Kind, secret: string) => ask<void>({ about: 'learn', kind, secret }),
    close: () => thread.terminate(),
  }
}

export type Receivers = Awaited<ReturnType<typeof startReceivers>>
