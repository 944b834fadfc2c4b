import type Router from '@koa/router'
import type { Render } from './render.ts'

/** `/`: the start page for people, with links. Programs that do not accept HTML get a 404. */
export function addHome(router: Router, { render }: { render: Render }): void {
  router.get('/', (ctx, next) => {
    if (!ctx.accepts('html')) return next()
    return render(ctx, { template: 'home', status: 200, title: 'steadypay', data: {}, isPublic: true })
  })
}
