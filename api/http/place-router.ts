import Router, { type RouterMiddleware } from '@koa/router'
import type { Context, Next } from 'koa'

/** A segment of a route's path that takes more than one text. */
const isOpen = (segment: string): boolean => /[:*{(]/.test(segment)

/** The first segments of a route's path, two at most, as far as they are fixed. */
function placeOf(path: unknown): string {
  const [first = '', second = ''] = typeof path === 'string' ? path.slice(1).toLowerCase().split('/') : []
  if (isOpen(first)) return ''
  return second === '' || isOpen(second) ? first : `${first}/${second}`
}

/** The places of the routes that a call's path may have: its own first, so that a fixed segment is before a name. */
function placesFor(path: string): string[] {
  const [first = '', second = ''] = path.slice(1).toLowerCase().split('/', 2)
  return [...new Set([second === '' ? first : `${first}/${second}`, first, ''])]
}

/**
 * The router of Koa, which tries the pattern of every route on every call, for hundreds of routes: only those that
 * begin as the call's path does are tried. Among them the first one that fits is taken, as ever.
 */
export class PlaceRouter extends Router {
  readonly #places = new Map<string, Router>()

  override register(...route: Parameters<Router['register']>): ReturnType<Router['register']> {
    const place = placeOf(route[0])
    const router = this.#places.get(place) ?? new Router()
    this.#places.set(place, router)
    return router.register(...route)
  }

  /** The middleware that takes a call to its route; without one it goes on. */
  dispatch(): (ctx: Context, next: Next) => Promise<unknown> {
    const routes = new Map([...this.#places].map(([place, router]) => [place, router.routes() as RouterMiddleware]))
    return async (ctx, next) => {
      const fitting = placesFor(ctx.path).flatMap((place) => routes.get(place) ?? [])
      const go = (index: number): Promise<unknown> => {
        const route = fitting[index]
        return route ? Promise.resolve(route(ctx as never, () => go(index + 1))) : next()
      }
      return go(0)
    }
  }
}
