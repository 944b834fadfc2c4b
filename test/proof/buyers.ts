import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { buyer, card, cards, type Merchant, type Reply, sale, transferSale } from '../support/merchant.ts'

/** The results of all calls: how long each took, how often one was repeated, and answers that are errors. */
export type Tally = { durationsMs: number[]; refusalsMs: number[]; repeats: number; errors: string[] }
export const newTally = (): Tally => ({ durationsMs: [], refusalsMs: [], repeats: 0, errors: [] })

type Call = { method?: string; path: string; body: unknown; secret?: string; address?: string; key?: string }
type Session = { checkout_id: string; client_secret: string }
type Shown = { payment_id?: string | null; payment_status?: string }

const patienceMs = 150_000

/**
 * Calls as the docs tell clients to: with one idempotency key, and again after 429, 503, a key in use or a cut
 * connection. Returns the first other reply. Any other 5xx, or a 503 that is not the error object with Retry-After, is
 * an error.
 */
export async function insist(merchant: Merchant, call: Call, tally: Tally): Promise<Reply> {
  const { method = 'POST', path, body, secret, address, key = randomUUID() } = call
  const headers = {
    'idempotency-key': key,
    ...(secret && { authorization: `Bearer ${secret}` }),
    ...(address && { 'x-forwarded-for': address }),
  }
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    const startedAt = performance.now()
    const reply = await merchant.call(method, path, body, headers).catch(() => null)
    const tookMs = performance.now() - startedAt
    const repeat = reply === null || isForNow(reply)
    if (reply !== null) (repeat ? tally.refusalsMs : tally.durationsMs).push(tookMs)
    if (reply && reply.status >= 500 && !isProper503(reply)) tally.errors.push(`${path}: ${reply.status} ${reply.text}`)
    if (!repeat) return reply
    if (performance.now() > giveUpAt)
      throw new Error(`${path} was never answered, at last ${reply?.status} ${reply?.text}`)
    tally.repeats += 1
    await pause(Number(reply?.headers.get('retry-after') ?? 1) * 500 * (1 + Math.random()))
  }
}

const isForNow = ({ status, text }: Reply) => status === 429 || status >= 500 || text.includes('idempotency_key_in_use')
const isProper503 = ({ status, headers, body }: Reply) =>
  status === 503 && headers.has('retry-after') && (body['error_code'] as unknown) === 'SERVICE_UNAVAILABLE'

/** Creates a session; anything but 201 is an error. */
export async function create(merchant: Merchant, tally: Tally, body: object = sale, key?: string): Promise<Session> {
  const reply = await insist(merchant, { path: '/v1/checkout-sessions', body, ...(key && { key }) }, tally)
  if (reply.status !== 201) tally.errors.push(`create: ${reply.status} ${reply.text}`)
  return reply.body as unknown as Session
}

export type Kind = 'card' | 'transfer' | 'second card' | 'cancelled'
const kinds: Kind[] = [
  'card',
  'transfer',
  'card',
  'second card',
  'card',
  'card',
  'transfer',
  'card',
  'cancelled',
  'card',
]
/** What the n-th buyer does: most pay by card, some by transfer, some need a second card, some sales are cancelled. */
export const kindOf = (n: number): Kind => kinds[n % kinds.length] ?? 'card'

/** One sale from start to end, through the public API only; returns the session's id. */
export async function makeSale(merchant: Merchant, n: number, tally: Tally, kind = kindOf(n)): Promise<string> {
  const session = await create(merchant, tally, kind === 'transfer' ? transferSale : sale)
  const path = `/v1/checkout-sessions/${session.checkout_id}`
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
  const expectOk = async (what: string, call: Call) => {
    const reply = await insist(merchant, call, tally)
    if (reply.status >= 300) tally.errors.push(`${what} of ${session.checkout_id}: ${reply.status} ${reply.text}`)
    return reply
  }
  const pay = (method: object) => {
    const body = { customer_details: buyer, ...method }
    return expectOk(`pay (${kind})`, { path: `${path}/pay`, body, secret: session.client_secret, address })
  }
  const payByCard = (number: string) => pay({ payment_method: 'USD_CARD', card: card(number), confirm: true })

  if (kind === 'cancelled') await expectOk('cancel', { path: `${path}/cancel`, body: {} })
  if (kind === 'card') await payByCard(cards.success)
  if (kind === 'second card') {
    await payByCard(cards.declined)
    await attemptDecided(merchant, session, address)
    await payByCard(cards.success)
  }
  if (kind === 'transfer') {
    await pay({ payment_method: 'NGN_BANK_TRANSFER' })
    const paymentId = await attemptDecided(merchant, session, address)
    const body = { session_id: `S${paymentId.replaceAll('_', '')}` }
    await expectOk('deposit', { path: `/v1/test-helpers/payments/${paymentId}/deposit`, body })
  }
  return session.checkout_id
}

/** Waits, as a buyer's page does, until the rail has answered about the newest attempt; returns the attempt's id. */
async function attemptDecided(merchant: Merchant, session: Session, address: string): Promise<string> {
  const headers = { authorization: `Bearer ${session.client_secret}`, 'x-forwarded-for': address }
  const giveUpAt = performance.now() + patienceMs
  for (;;) {
    const path = `/v1/checkout-sessions/${session.checkout_id}/public`
    const reply = await merchant.call('GET', path, undefined, headers).catch(() => null)
    const { payment_id: id, payment_status: status } = (reply?.body ?? {}) as Shown
    if (id && (status === 'failed' || status === 'requires_action')) return id
    if (performance.now() > giveUpAt) throw new Error(`the attempt of ${session.checkout_id} stays ${status}`)
    await pause(1_000) // a buyer may poll sixty times a minute
  }
}

/**
 * Runs `work` for 0 to count - 1, at most `parallel` at a time, until one says `enough`; the first failure fails all.
 */
export async function runMany(
  count: number,
  parallel: number,
  work: (n: number) => Promise<void | 'more' | 'enough'>,
): Promise<void> {
  let next = 0
  const runNext = async () => {
    while (next < count) if ((await work(next++)) === 'enough') break
  }
  await Promise.all(Array.from({ length: Math.min(parallel, count) }, runNext))
}
