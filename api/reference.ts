import { createRequire } from 'node:module'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type Router from '@koa/router'
import { once } from '../domain/once.ts'
import { type Audience, openApiDocument } from './http/openapi.ts'
import { asOpenApi30 } from './http/openapi-3-0.ts'
import { type OpenApiDocument, postmanCollection } from './http/postman.ts'
import type { Services } from './http/services.ts'
import { operations } from './operations.ts'
import { describeTestValues } from './sandbox/test-values.ts'

const require = createRequire(import.meta.url)
const script = join(dirname(require.resolve('@scalar/api-reference')), 'browser/standalone.js')

/** The script of the reference page. It has 4 MB, so it is read once, and all get the same bytes. */
const readScript = once(() => readFile(script))

/** Where each OpenAPI document is served. */
export const documentPaths: Record<Audience, string> = { merchants: '/openapi.json', staff: '/openapi-staff.json' }

/** Where the merchants' document is served in the form of OpenAPI 3.0, for generators (decision 0067). */
export const documentFor30 = '/openapi-3.0.json'

/**
 * Serves the OpenAPI documents, and what is made of the merchants' one: a Postman collection and the form of 3.0. Each
 * is made when it is first read. Making them all takes as much processor time as the rest of the application's start.
 * All callers are sent the same bytes.
 */
export function addOpenApi(router: Router, { config }: Services): void {
  const of = (audience: Audience) => openApiDocument(operations, config.publicUrl, tagDescriptions, audience)
  const made: Record<string, () => unknown> = {
    [documentPaths.merchants]: () => of('merchants'),
    [documentPaths.staff]: () => of('staff'),
    [documentFor30]: () => asOpenApi30(of('merchants')),
    '/postman.json': () => postmanCollection(of('merchants') as OpenApiDocument),
  }
  for (const [path, make] of Object.entries(made)) {
    let bytes: Buffer | null = null
    router.get(path, (ctx) => {
      bytes ??= Buffer.from(JSON.stringify(make()))
      ctx.type = 'application/json'
      ctx.body = bytes
    })
  }
}

/** The introduction of a group of operations, by its tag. */
export const tagDescriptions = { 'Test helpers': describeTestValues() }

/** Switches off every feature that calls a third party's service. */
const configuration = JSON.stringify({
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
})

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>steadypay API reference</title>
</head>
<body>
<script id="api-reference" data-url="/openapi.json"
  data-configuration='${configuration}'></script>
<script src="/reference/standalone.js"></script>
</body>
</html>`

/**
 * The reference page. It loads nothing from other hosts: we serve its script, and its policy allows no other origin.
 */
export function addReference(router: Router): void {
  router.get('/reference', (ctx) => {
    ctx.set(
      'Content-Security-Policy',
      [
        "default-src 'self'",
        "script-src 'self' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
      ].join('; '),
    )
    ctx.type = 'text/html'
    ctx.body = page
  })
  router.get('/reference/standalone.js', async (ctx) => {
    ctx.type = 'text/javascript'
    ctx.set('Cache-Control', 'public, max-age=3600')
    ctx.body = await readScript()
  })
}
