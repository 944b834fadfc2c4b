// npm run release -- status | current BUILD | ramp BUILD PERCENT | move BUILD: which release of the workers takes the
// processes, at the Temporal service of TEMPORAL_ADDRESS (docs/operating/upgrading.md).
import { systemClock } from '../engine/clock.ts'
import { loadDeployment } from '../engine/config.ts'
import { openEngine } from '../engine/connection.ts'
import { commandLine } from './infra/command-line.ts'
import { readArguments, runCommand, sayUnavailable } from './infra/run-command.ts'
import { describeReleases, workerReleases } from './infra/worker-releases.ts'

/** Returns what has changed. */
type Change = (of: ReturnType<typeof workerReleases>) => Promise<string>

const changeNothing: Change = async () => ''

const usage = `Usage: ${commandLine('release', 'status | current BUILD | ramp BUILD PERCENT | move BUILD')}

  status              shows the releases and their processes
  current BUILD       new processes begin on this release ("unversioned": on workers without WORKER_BUILD_ID)
  ramp BUILD PERCENT  this share of them does; 0 ends it
  move BUILD          processes that are pinned to this release go on with the current one`

/** What these arguments ask for; null if they are not understood. */
function read([command, build = '', percent, ...more]: string[]): Change | null {
  if (more.length > 0 || (percent !== undefined && command !== 'ramp')) return null
  if (command === 'status') return build === '' ? changeNothing : null
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

async function run(change: Change): Promise<number> {
  const deployment = loadDeployment()
  const connection = await openEngine(deployment.temporal, change === changeNothing ? undefined : sayUnavailable)
  try {
    const releases = workerReleases(connection, deployment)
    const said = await change(releases)
    if (said) console.log(`${said}\n`)
    console.log(describeReleases(await releases.list(await systemClock.now())))
    return 0
  } finally {
    await connection.close()
  }
}

await runCommand(readArguments(read), { usage, run, failureCode: 1 })
