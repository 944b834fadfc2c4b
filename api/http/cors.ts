import type { Context, Next } from 'koa'
import type { Operation } from './operation.ts'

const exposed = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'X-API-Version',
  'Idempotent-Replayed',
  'WWW-Authenticate',
]
const mayBeSent = ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-API-Version', 'X-Request-Id']
const keptSeconds = 7_200 // the longest time that browsers cache a preflight answer

/**
 * Whether pages of every origin may call an operation. This is safe where buyers call with the client secret of their
 * session, as these operations accept no cookie and nothing else that a browser adds by itself
 * (docs/contract/general.md, "Browser calls").
 */
export const isForBrowsers = ({ auth }: Operation): boolean => auth.includes('clientSecret')

/** Sets the CORS headers, so that these pages can read the answers of the buyers' operations, refusals included. */
export function createCors(operations: readonly Operation[]) {
  const open = operations.filter(isForBrowsers).map(({ path }) => patternOf(path))
  return (ctx: Context, next: Next): Promise<void> => {
    if (open.some((pattern) => pattern.test(ctx.path))) {
      ctx.set('Access-Control-Allow-Origin', '*')
      ctx.set('Access-Control-Expose-Headers', exposed.join(', '))
    }
    return next()
  }
}

/** Matches like the router: in upper or lower case, with or without a slash at the end. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i')

/** Answers the preflight request of a browser. */
export const answerPreflight =
  ({ method }: Operation) =>
  (ctx: Context): void => {
    ctx.set('Access-Control-Allow-Methods', method.toUpperCase())
    ctx.set('Access-Control-Allow-Headers', mayBeSent.join(', '))
    ctx.set('Access-Control-Max-Age', String(keptSeconds))
    ctx.status = 204
  }
