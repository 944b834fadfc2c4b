// npm run release -- status | current BUILD | ramp BUILD PERCENT | move BUILD: which release of the workers takes the
// processes, at the Temporal service of TEMPORAL_ADDRESS (docs/operating.md, "Upgrading").
import { systemClock } from '../engine/clock.ts'
import { ConfigError, loadDeployment } from '../engine/config.ts'
import { openEngine } from '../engine/connection.ts'
import { describeReleases, ReleaseRefused, workerReleases } from './infra/worker-releases.ts'

type Releases = ReturnType<typeof workerReleases>

const usage = `Usage: npm run release -- status
       npm run release -- current BUILD        new processes begin on this release ("unversioned": on workers
                                               without WORKER_BUILD_ID)
       npm run release -- ramp BUILD PERCENT   this share of them does; 0 ends it
       npm run release -- move BUILD           processes that are pinned to this release go on with the current one`

const run = read(process.argv.slice(2))

if (run) {
  try {
    const deployment = loadDeployment()
    const connection = await openEngine(deployment.temporal)
    const releases = workerReleases(connection, deployment)
    try {
      const said = await run(releases)
      if (said) console.log(`${said}\n`)
      console.log(describeReleases(await releases.list(await systemClock.now())))
    } finally {
      await connection.close()
    }
  } catch (error) {
    const isRefused = error instanceof ReleaseRefused
    const { message } = error as Error
    if (error instanceof ConfigError) console.error(message)
    else console.error(isRefused ? `Temporal refuses: ${message}` : `Temporal is not ready: ${message}`)
    process.exitCode = 1
  }
} else {
  console.error(usage)
  process.exitCode = 2
}

/** What these arguments ask for; null if they are not understood. */
function read([command, build = '', percent, ...more]: string[]): ((of: Releases) => Promise<string>) | null {
  if (more.length > 0 || (percent !== undefined && command !== 'ramp')) return null
  if (command === 'status') return build === '' ? async () => '' : null
  if (!/^[A-Za-z\d]([\w.-]{0,61}[A-Za-z\d])?$/.test(build)) return null
  if (command === 'move') return async (of) => `${await of.move(build)} processes of ${build} are moved.`
  if (command === 'current') {
    return async (of) => {
      await of.makeCurrent(build === 'unversioned' ? '' : build)
      return `New processes begin on ${build}.`
    }
  }
  if (command !== 'ramp' || !/^(\d{1,2}|100)$/.test(percent ?? '')) return null
  return async (of) => {
    await of.ramp(build, Number(percent))
    return `${percent} % of new processes begin on ${build}.`
  }
}
