import { InvalidArgumentError } from 'commander'
import { request } from 'undici'
import { signatureHeaders } from '../activities/webhook/signature.ts'
import { reasonOf } from './api.ts'
import type { Event } from './event-source.ts'

/** What the local address answered to an event; `error` is null if it accepted the event. */
export type Forwarded = { status: number | null; durationMs: number; error: string | null }

const timeoutMs = 10_000

/** Reads the address that the user typed. Without a scheme it is plain http. */
export function readForwardUrl(text: string): string {
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw new InvalidArgumentError('Enter a URL such as localhost:4000/webhooks.')
}

/** Posts an event with the body and headers of a first delivery, signed now. Like a delivery, follows no redirect. */
export async function forward(event: Event, to: { url: string; secret: string; at: number }, signal: AbortSignal) {
  const { id, type, created_at, account_id, data, sequence } = event
  const body = Buffer.from(JSON.stringify({ id, type, created_at, account_id, data })) // left out where it is undefined
  const signed = signatureHeaders({ eventId: id, attempt: 1, sequence, body, secrets: [to.secret], at: to.at })
  const startedAt = performance.now()
  const ended = (status: number | null, error: string | null): Forwarded => ({
    status,
    error,
    durationMs: Math.round(performance.now() - startedAt),
  })
  try {
    const answer = await request(to.url, {
      method: 'POST',
      headers: { ...deliveryHeaders, ...signed },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await answer.body.dump()
    const isTaken = answer.statusCode >= 200 && answer.statusCode < 300
    return ended(answer.statusCode, isTaken ? null : 'bad status')
  } catch (error) {
    return ended(null, reasonOf(error))
  }
}

/** As in activities/webhook/http.ts. */
const deliveryHeaders = {
  'user-agent': 'steadypay-webhooks',
  'content-type': 'application/json',
  'accept-encoding': 'identity',
}
