import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'

/** How a receiver behaves; `healthy` and `badCertificate` answer 200 to any request. */
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
/** `secondTime` refuses first attempts and accepts all others. */
export type Kind = (typeof kinds)[number] | 'secondTime'

/** One request as it arrived: its time, its content, and whether a secret that the receiver knows verifies it. */
export type ReceivedRequest = {
  at: number
  path: string
  eventId: string
  attempt: number
  sha256: string
  signatures: number
  /** When it was signed by its own timestamp, in seconds since the epoch. */
  signedAt: number
  isVerified: boolean
}

export type Question =
  | { about: 'urls' }
  | { about: 'received'; kind: Kind }
  /** Before these two messages every receiver answers 200. */
  | { about: 'refuse' }
  | { about: 'misbehave' }
  | { about: 'learn'; kind: Kind; secret: string }

/**
 * Receivers on this machine, each a separate server. They run in a thread of their own, so that the scenario does not
 * slow them down. `secrets` names them: each verifies requests on arrival, with the library of Standard Webhooks.
 */
export async function startReceivers(secrets: Partial<Record<Kind, string>>) {
  const thread = new Worker(new URL('./receiver-thread.ts', import.meta.url), { workerData: secrets })
  const send = async <Answer>(question: Question): Promise<Answer> => {
    const { port1, port2 } = new MessageChannel()
    thread.postMessage({ question, port: port2 }, [port2])
    const [answer] = (await once(port1, 'message')) as [Answer]
    port1.close()
    return answer
  }
  return {
    urls: await send<Record<Kind, string>>({ about: 'urls' }),
    received: (kind: Kind) => send<ReceivedRequest[]>({ about: 'received', kind }),
    /** From now on every receiver but the healthy one answers 500 at once. Their received requests are cleared. */
    refuse: () => send<void>({ about: 'refuse' }),
    /** From now on each receiver behaves as its kind says, and its received requests are cleared. */
    misbehave: () => send<void>({ about: 'misbehave' }),
    /** Gives a receiver a new secret; it keeps the one before and no older one. */
    learn: (kind: Kind, secret: string) => send<void>({ about: 'learn', kind, secret }),
    close: () => thread.terminate(),
  }
}

export type Receivers = Awaited<ReturnType<typeof startReceivers>>
