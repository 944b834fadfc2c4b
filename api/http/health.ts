import type Router from '@koa/router'
import { databaseProblem } from '../../engine/database-problem.ts'
import type { Services } from './services.ts'

/** Load balancers ask these paths, at a rhythm of their own. They are no calls of the service. */
export const healthPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/**
 * `/healthz`: the process answers. `/readyz`: it can also write to its database, and was not told to stop; the engine
 * may be unavailable.
 */
export function addHealth(router: Router, { database, isStopping = () => false }: Services): void {
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', async (ctx) => {
    const problem = isStopping() ? 'it is stopping' : await databaseProblem(database)
    ctx.status = problem === null ? 200 : 503
    ctx.body = { status: problem ?? 'ready' }
  })
}
