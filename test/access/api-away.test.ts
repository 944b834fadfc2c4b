import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import Router from '@koa/router'
import Koa from 'koa'
import { createPages } from '../../web/pages.ts'
import { atEnd } from '../support/use.ts'

// What the pages say while the API refuses every call: to people who are signed in, and to a browser without cookies.
const api = createServer((_request, response) => {
  const body = { error_code: 'SERVICE_UNAVAILABLE', detail: 'try again', doc_url: '', errors: [] }
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(body))
})
const app = new Koa()
const router = new Router()
createPages({ address: () => api.address(), callFor: () => ({}), now: () => 0, publicUrl: '' })(router)
app.use(router.routes())
const site = createServer(app.callback())
for (const server of [api, site]) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
}
const portOf = (server: Server) => (server.address() as AddressInfo).port

/** The pages of a site for whoever is signed in. Its own address only leads to its first page. */
const pagesOf = (home: string): string[] =>
  router.stack
    .filter(({ methods }) => methods.includes('GET'))
    .map(({ path }) => String(path))
    .filter((path) => path.startsWith(`${home}/`) && !/\/(login|invitation)(\/|$)|\{\*/.test(path))

for (const home of ['/dashboard', '/ops']) {
  test(`${home}: no page sends a signed-in person to the login while the API is away`, async () => {
    const name = home.slice(1)
    const cookie = `${name}_access=at_any; ${name}_refresh=rt_any`
    const seen = new Set<number>()
    assert.ok(pagesOf(home).length > 10)
    for (const path of pagesOf(home)) {
      const address = path.replaceAll(/:\w+/g, 'any')
      const options = { headers: { cookie }, redirect: 'manual' } as const
      const { status, headers } = await fetch(`http://127.0.0.1:${portOf(site)}${address}`, options)
      assert.doesNotMatch(headers.get('location') ?? '', /login/, path)
      seen.add(status)
    }
    assert.ok(seen.has(503))
  })
}

for (const home of ['/portal', '/onboarding', '/dashboard/invitation']) {
  test(`${home}: a browser that takes no cookies is told so, and an expired link is just that`, async () => {
    const read = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${portOf(site)}${home}`, { headers })).text()
    assert.match(await read({}), /your browser blocks cookies\. Allow them for this site/)
    if (home === '/portal') assert.match(await read({ 'accept-language': 'fr' }), /bloque les cookies/)
    const cookie = ['portal_token', 'onboarding_token', 'invitation_token']
      .map((name) => `${name}=of_nobody`)
      .join('; ')
    assert.doesNotMatch(await read({ cookie }), /blocks cookies/)
  })
}
