import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type Router from '@koa/router'
import { recordOf } from '../domain/narrow.ts'

const types = {
  'checkout.css': 'text/css',
  'checkout.js': 'text/javascript',
  'card-frame.js': 'text/javascript',
  'card-field.js': 'text/javascript',
  'site.css': 'text/css',
  'dashboard.css': 'text/css',
  'portal.css': 'text/css',
  'desk.css': 'text/css',
  'docs.css': 'text/css',
  'docs.js': 'text/javascript',
  'timeline.js': 'text/javascript',
  'icon.svg': 'image/svg+xml',
}

export type AssetName = keyof typeof types
const isAsset = (name: string): name is AssetName => Object.hasOwn(types, name)
/** The address of each asset. It changes with the content, so browsers may cache assets without limit. */
export type Assets = Record<AssetName, string>

/**
 * Serves the scripts, styles and icons of the pages. They load nothing from another host, except for the field of a
 * card provider (web/checkout/card-frame.ts).
 */
export function addAssets(router: Router): Assets {
  return recordOf(Object.keys(types).filter(isAsset), (name) => {
    const body = readFileSync(join(import.meta.dirname, 'assets', name))
    const version = createHash('sha256').update(body).digest('hex').slice(0, 12)
    router.get(`/assets/${name}`, (ctx) => {
      ctx.type = types[name]
      // While a release is replaced, a page of one process may ask another one, which has other bytes: those are not
      // kept under this address.
      const isOurs = ctx.query['v'] === version
      ctx.set('Cache-Control', isOurs ? 'public, max-age=31536000, immutable' : 'no-store')
      ctx.body = body
    })
    return `/assets/${name}?v=${version}`
  })
}
