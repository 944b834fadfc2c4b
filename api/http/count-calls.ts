import type { Context } from 'koa'
import { Refusal } from '../../domain/refusal.ts'
import { networkOf } from './address.ts'
import { createRateLimiter } from './rate-limit.ts'
import type { Services } from './services.ts'

/** A rate limit: the subject whose calls are counted together, and their limit in a minute. */
export type Counted = { subject: string; limit: number }

/** The limit of one IP address: for calls without a credential, with a wrong one, or to a path that does not exist. */
export const callsFromAddress = (address: string): Counted => ({ subject: `ip/${networkOf(address)}`, limit: 60 })

/** Counts calls per minute, sets the rate limit headers, and refuses calls beyond the limit. */
export function createCounter({ database }: Services) {
  const limiter = createRateLimiter(database)
  return async (ctx: Context, { subject, limit }: Counted, now: number): Promise<void> => {
    const standing = await limiter.hit(subject, limit, now)
    ctx.set('X-RateLimit-Limit', String(standing.limit))
    ctx.set('X-RateLimit-Remaining', String(standing.remaining))
    ctx.set('X-RateLimit-Reset', String(standing.resetAt))
    if (standing.allowed) return
    const seconds = Math.max(1, Math.ceil(standing.resetAt - now / 1000))
    ctx.set('Retry-After', String(seconds))
    throw new Refusal('TOO_MANY_REQUESTS', `more than ${limit} calls in this minute: call again in ${seconds} s`)
  }
}

export type CountCall = ReturnType<typeof createCounter>
