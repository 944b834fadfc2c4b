import type Router from '@koa/router'
import type { Render } from './render.ts'

/** `/`: where people who have come to the service's address go on. Programs that take no HTML find nothing there. */
export function addHome(router: Router, { render }: { render: Render }): void {
  router.get('/', (ctx, next) => {
    if (!ctx.accepts('html')) return next()
    return render(ctx, { template: 'home', status: 200, title: 'steadypay', data: {} })
  })
}
