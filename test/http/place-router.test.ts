import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import Koa from 'koa'
import { PlaceRouter } from '../../api/http/place-router.ts'

/** A server whose routes answer with their own path, and which says which methods a path takes where none fits. */
async function serve(routes: [method: 'get' | 'post', path: string][]) {
  const router = new PlaceRouter()
  for (const [method, path] of routes)
    router[method](path, (ctx) => {
      ctx.body = path
    })
  const app = new Koa()
  app.use(router.dispatch())
  app.use((ctx) => {
    const matched = (ctx as unknown as { matched: { methods: string[] }[] }).matched ?? []
    ctx.body = `none of ${matched.flatMap(({ methods }) => methods).join()}`
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ask: async (path: string, method = 'GET') => (await fetch(`http://127.0.0.1:${port}${path}`, { method })).text(),
    close: () => server.close(),
  }
}

test('a call goes to the first route that fits, a fixed segment before a name, in any case', async (t) => {
  const { ask, close } = await serve([
    ['get', '/{*path}'],
    ['get', '/v1/:resource/:id'],
    ['get', '/v1/payouts/estimate'],
    ['get', '/v1/payouts/:payout_id'],
    ['post', '/v1/payouts/:payout_id'],
    ['post', '/v1/payouts'],
    ['get', '/checkout/:secret'],
    ['get', '/healthz'],
  ])
  t.after(close)
  assert.equal(await ask('/v1/payouts/estimate'), '/v1/payouts/estimate')
  assert.equal(await ask('/v1/payouts/pay_1'), '/v1/payouts/:payout_id')
  assert.equal(await ask('/V1/Payouts/pay_1/'), '/v1/payouts/:payout_id')
  assert.equal(await ask('/v1/payouts/pay_1', 'POST'), '/v1/payouts/:payout_id')
  assert.equal(await ask('/v1/refunds/ref_1'), '/v1/:resource/:id')
  assert.equal(await ask('/checkout/secret'), '/checkout/:secret')
  assert.equal(await ask('/healthz/'), '/healthz')
  for (const path of ['/', '/v1', '/v1/payouts', '/v1//pay_1', '/other/deep/path', '/v1/payouts/pay_1/more'])
    assert.equal(await ask(path), '/{*path}', path)
})

test('where no method fits, the methods of all routes of the path are known', async (t) => {
  const { ask, close } = await serve([
    ['get', '/v1/payouts/:payout_id'],
    ['post', '/v1/:resource/:id'],
    ['get', '/v1/refunds'],
  ])
  t.after(close)
  assert.equal(await ask('/v1/payouts/pay_1', 'DELETE'), 'none of HEAD,GET,POST')
  assert.equal(await ask('/v1/payouts/pay_1', 'POST'), '/v1/:resource/:id')
  assert.equal(await ask('/v1/nothing'), 'none of ')
})
