// npm run pack-client [-- <folder>]: makes the package of the client for TypeScript, by default in .local.
import { mkdirSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { packClient } from './client/pack.ts'
import { LOCAL, ROOT } from './infra/paths.ts'
import { runSession } from './infra/session.ts'

await runSession(async () => {
  const [given] = process.argv.slice(2)
  const folder = given === undefined ? LOCAL : resolve(given)
  mkdirSync(folder, { recursive: true })
  const tarball = await packClient(folder)
  console.log(`${given === undefined ? relative(ROOT, tarball) : tarball} is written.`)
  return 0
})
