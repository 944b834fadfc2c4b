import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { goInstall } from './go-install.ts'
import { CACHE } from './paths.ts'
import { SetupError } from './session.ts'
import { onPath } from './temporal-binary.ts'

const VERSION = '0.203.0'
const GO_MODULE = `github.com/stripe/stripe-mock@v${VERSION}`
const CACHED = join(CACHE, `stripe-mock-${VERSION}`)

/**
 * The path of stripe-mock, Stripe's own server that checks requests against its published description: `STRIPE_MOCK` if
 * it is set, else from the cache, else built with Go, which takes some seconds. Null where there is no Go; throws a
 * SetupError where Go cannot build it.
 */
export async function stripeMock(): Promise<string | null> {
  const given = process.env['STRIPE_MOCK']
  if (given) return given
  if (existsSync(CACHED)) return CACHED
  if (onPath('go') === null) return null
  mkdirSync(CACHE, { recursive: true })
  const building = join(CACHE, `build-stripe-mock-${process.pid}`)
  try {
    const complaint = await goInstall(GO_MODULE, building)
    if (complaint !== null) throw new SetupError(complaint)
    renameSync(join(building, 'stripe-mock'), CACHED) // the whole file at once, as others may build at the same time
    return CACHED
  } finally {
    rmSync(building, { recursive: true, force: true })
  }
}
