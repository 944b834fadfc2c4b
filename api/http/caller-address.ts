import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'koa'
import { readAddress } from './address.ts'

/**
 * The caller's IP address in canonical form: of the connection, or as reported by the trusted proxies or by our own
 * pages.
 */
export function addressOf(ctx: Context, trustedHops: number): string {
  const visitor = namedByPages(ctx)
  if (visitor !== null) return visitor
  const socket = ctx.req.socket.remoteAddress
  const direct = (socket && readAddress(socket)) ?? 'unknown'
  if (trustedHops === 0) return direct
  const seen = ctx
    .get('x-forwarded-for')
    .split(',')
    .map((part) => part.trim())
  const named = seen.at(-trustedHops) ?? ''
  return readAddress(named) ?? direct // no proxy writes an invalid address
}

// The hosted pages call the API from this process, so their calls are counted for the visitor's address, not for ours.
// The token proves that the call is ours. It is sent over loopback only and is new with every process.
const pagesHeader = 'x-pages-call-for'
const pagesToken = Buffer.from(`${randomBytes(32).toString('base64url')} `)

/** Headers for a call that a hosted page makes on behalf of the visitor who asked for the page. */
export const callFor = (ctx: Context, trustedHops: number): Record<string, string> => ({
  [pagesHeader]: `${pagesToken.toString()}${addressOf(ctx, trustedHops)}`,
})

/** Whether a hosted page makes the call, on behalf of whoever asked for the page. */
export const isFromPages = (ctx: Context): boolean => namedByPages(ctx) !== null

/** The address that a hosted page names with its call; null for any other call. */
function namedByPages(ctx: Context): string | null {
  const header = ctx.get(pagesHeader)
  if (header === '') return null
  const sent = Buffer.from(header)
  const token = sent.subarray(0, pagesToken.length)
  const isOurs = token.length === pagesToken.length && timingSafeEqual(token, pagesToken)
  return isOurs ? sent.subarray(pagesToken.length).toString() : null
}
