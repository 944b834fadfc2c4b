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
const keptSeconds = 7_200 // browsers keep it no longer than this

/**
 * Whether pages of every origin may call an operation: buyers make it, and the client secret of their session alone
 * opens it. No cookie and nothing else that a browser adds by itself counts there (docs/contract/general.md, "Browser
 * calls").
 */
export const isForBrowsers = ({ auth }: Operation): boolean => auth.includes('clientSecret')

/** Lets those pages read what the buyers' operations answer, also when it is a refusal of any kind. */
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

/** The addresses that the router takes for this path: in any case, and with a slash at the end or without one. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i')

/** Answers a browser that asks before it makes a buyer's call. */
export const answerPreflight =
  ({ method }: Operation) =>
  (ctx: Context): void => {
    ctx.set('Access-Control-Allow-Methods', method.toUpperCase())
    ctx.set('Access-Control-Allow-Headers', mayBeSent.join(', '))
    ctx.set('Access-Control-Max-Age', String(keptSeconds))
    ctx.status = 204
  }
