import { setTimeout } from 'node:timers/promises'
import type Router from '@koa/router'
import type { Database } from '../../db/core/database.ts'
import { isReadOnly } from '../../engine/unavailable.ts'
import type { Services } from './services.ts'

/** `/healthz`: the process answers. `/readyz`: it can also write to its database; the engine may be unavailable. */
export function addHealth(router: Router, { database }: Services): void {
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', async (ctx) => {
    const error = await Promise.race([databaseProblem(database), noAnswer()])
    ctx.status = error === null ? 200 : 503
    ctx.body = { status: error ?? 'ready' }
  })
}

const answersWithinMs = 3_000

const noAnswer = () => setTimeout(answersWithinMs, 'the database is away', { ref: false })

/**
 * Runs a write that matches no row. A read replica or a read-only database refuses it, so the check finds these too.
 * Only reading the setting would keep connections in use that were opened while the database was read-only.
 */
async function databaseProblem({ orm }: Database): Promise<string | null> {
  try {
    await orm.em.fork().execute('delete from rate_windows where false')
    return null
  } catch (error) {
    return isReadOnly(error) ? 'the database cannot be written' : 'the database is away'
  }
}
