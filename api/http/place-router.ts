import Router from '@koa/router'
import type { Context, Next } from 'koa'

/** A segment of a route's path that takes more than one text. */
const isOpen = (segment: string): boolean => /[:*{(]/.test(segment)

/** The first segments of a route's path, two at most, as far as they are fixed. */
function placeOf(path: unknown): string {
  const [first = '', second = ''] = typeof path === 'string' ? path.slice(1).toLowerCase().split('/') : []
  if (isOpen(first)) return ''
  return second === '' || isOpen(second) ? first : `${first}/${second}`
}

type Route = Router['stack'][number]

/**
 * The router of Koa, which tries the pattern of every route on every call, for hundreds of routes: only those that
 * begin as the call's path does are tried. Among them the first one that fits is taken, as ever.
 */
export class PlaceRouter extends Router {
  readonly #places = new Map<string, Router>()

  override register(...route: Parameters<Router['register']>): ReturnType<Router['register']> {
    if (route[1].length === 0) throw new Error('this router has routes only: middleware without a method is not run')
    const place = placeOf(route[0])
    const router = this.#places.get(place) ?? new Router()
    this.#places.set(place, router)
    return router.register(...route)
  }

  /** The middleware that takes a call to its route; without one it goes on. */
  dispatch(): (ctx: Context, next: Next) => Promise<unknown> {
    const tried = this.#tried()
    return async (ctx, next) => {
      const { path, method } = ctx
      const [first = '', second = ''] = path.slice(1).toLowerCase().split('/', 2)
      const routes = tried.get(`${first}/${second}`) ?? tried.get(first) ?? tried.get('') ?? []
      const matched: Route[] = []
      ctx['matched'] = matched
      const goOn = (from: number): unknown => {
        for (let index = from; index < routes.length; index++) {
          const route = routes[index]
          const found = route?.regexp.exec(path)
          if (!route || !found) continue
          matched.push(route)
          if (!route.methods.includes(method)) continue
          ctx['_matchedRoute'] = route.path
          ctx['params'] = route.params(path, found.slice(1), ctx['params'] as Record<string, string>)
          return run(route, ctx, async () => goOn(index + 1))
        }
        return next()
      }
      return goOn(0)
    }
  }

  /** The routes that are tried at each place: its own first, so that a fixed segment is before a name. */
  #tried(): Map<string, Route[]> {
    const at = (place: string): Route[] => this.#places.get(place)?.stack ?? []
    const all = (place: string): Route[] => {
      const [first = ''] = place.split('/')
      return [...at(place), ...(first === place ? [] : at(first)), ...(place === '' ? [] : at(''))]
    }
    return new Map([...this.#places.keys(), ''].map((place) => [place, all(place)]))
  }
}

/** Runs the middleware of a route, one after the other as far as each goes on. */
function run(route: Route, ctx: Context, next: Next): unknown {
  const step = (index: number): unknown => {
    const middleware = route.stack[index]
    // Of what the router of Koa adds to the context, routes have `params`, `matched` and `_matchedRoute` only.
    return middleware ? middleware(ctx as never, async () => step(index + 1)) : next()
  }
  return step(0)
}
