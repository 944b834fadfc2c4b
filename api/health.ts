import type Router from '@koa/router'
import type { Services } from './services.ts'

/** `/healthz`: the process answers. `/readyz`: it can also reach its database; the engine may be away. */
export function addHealth(router: Router, { database }: Services): void {
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', async (ctx) => {
    const { ok } = await database.orm.em.getConnection().checkConnection()
    ctx.status = ok ? 200 : 503
    ctx.body = { status: ok ? 'ready' : 'the database is away' }
  })
}
