import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshMs } from '../../api/http/remembering.ts'
import type { Reply } from './merchant.ts'

type Sent = { method?: string; path: string; secret: string; body: object }

/**
 * Makes a call whose body ends only once `meanwhile` is done, which begins when the service has got the head. What the
 * service has read for the head is too old by then.
 */
export async function whileBodyArrives(
  { baseUrl }: { baseUrl: string },
  { method = 'POST', path, secret, body }: Sent,
  meanwhile: () => Promise<unknown>,
): Promise<Reply> {
  const sent = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(sent),
    expect: '100-continue',
  }
  const call = request(baseUrl + path, { method, headers, agent: false })
  const answered = once(call, 'response') as Promise<[IncomingMessage]>
  call.flushHeaders()
  await once(call, 'continue')
  await meanwhile()
  await sleep(freshMs + 50)
  call.end(sent)
  const [response] = await answered
  const text = await textOf(response)
  const { statusCode: status = 0 } = response
  const shown = new Headers(response.headers as Record<string, string>)
  return { status, headers: shown, text, body: JSON.parse(text) as Reply['body'] }
}
