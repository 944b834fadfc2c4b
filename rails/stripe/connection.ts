import Stripe from 'stripe'
import { Agent, fetch, type RequestInit, Response } from 'undici'
import type { Line } from '../line.ts'

/** How Stripe is reached. */
export type StripeAccess = {
  /** `sk_live_…`, or a restricted key `rk_live_…`. It is in no error. */
  secretKey: string
  /** Whether the key is of Stripe's live mode. All that Stripe answers has to be of the same mode. */
  livemode?: boolean
  /** Where the API is, as an origin such as `http://127.0.0.1:12111`; null: at Stripe. */
  address?: string | null
  /** The longest that one request may take, with its answer. */
  timeoutMs?: number
  /** The most requests at the same time; others wait for their turn within their time. */
  connections?: number
}

/** Shorter than the shortest time that a step has for a question (workflows/policies.ts). */
const defaultTimeoutMs = 8_000
const defaultConnections = 16

/** Stripe's library on connections of its own and over a line, so that a Stripe that hangs holds up nothing else. */
export function connectToStripe(access: StripeAccess, line: Line): { api: Stripe; close: () => Promise<void> } {
  const { secretKey, livemode = true, address = null } = access
  const { timeoutMs = defaultTimeoutMs, connections = defaultConnections } = access
  if (!new RegExp(`^[sr]k_${livemode ? 'live' : 'test'}_`).test(secretKey))
    throw new Error(`the secret key of Stripe is not one of its ${livemode ? 'live' : 'test'} mode`)
  const agent = new Agent({ connections, pipelining: 1 })
  // A redirect would take the key to another address.
  const request = (url: string, init: RequestInit) =>
    line.send(`${init.method ?? 'GET'} ${withoutIds(url)}`, async () => {
      const response = await fetch(url, { ...init, dispatcher: agent, redirect: 'error' })
      // Headers alone are no answer: a Stripe that sends no more is down.
      const body = await response.arrayBuffer()
      return new Response(body.byteLength === 0 ? null : body, response)
    })
  const client = Stripe.createFetchHttpClient(request as unknown as typeof globalThis.fetch)
  const api = new Stripe(secretKey, {
    ...placeOf(address),
    // The library's own client counts only the silence between two bytes; this one the whole request.
    httpClient: client,
    timeout: timeoutMs,
    // The engine repeats a step, and the rail looks first.
    maxNetworkRetries: 0,
    telemetry: false,
  })
  return { api, close: () => agent.destroy() }
}

/**
 * The path of a request without the ids in it, such as `/v1/refunds/…`. Stripe's ids, such as `re_1NispeKi`, contain
 * digits or capital letters; the names in its paths, such as `payment_intents`, have neither.
 */
const withoutIds = (url: string): string => new URL(url).pathname.replaceAll(/\/[a-z]{2,12}_(?=\w*[\dA-Z])\w+/g, '/…')

function placeOf(address: string | null): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (address === null) return {}
  const { protocol, hostname, port } = new URL(address)
  return { protocol: protocol === 'http:' ? 'http' : 'https', host: hostname, ...(port && { port }) }
}
