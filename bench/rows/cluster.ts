import { join } from 'node:path'
import { copyOfTree, startBuild, startCluster } from '../build.ts'
import { compared, type Figure } from '../figure.ts'
import type { Testbed } from '../testbed.ts'
import { costOfSales, shown } from './cost.ts'

const ROUNDS = 2

/** What a sale costs on `npm run cluster`, process by process, beside the same on the development engine. */
export async function measureCluster({ session, folder, report }: Testbed): Promise<Figure[]> {
  const builds = {
    cluster: await startCluster(session, join(folder, 'cluster'), join(folder, 'cluster.log')),
    'one of each': await startBuild(session, 'one', copyOfTree(folder, 'one'), join(folder, 'one.log')),
  }
  const pairs = []
  for (let round = 0; round < ROUNDS; round++) {
    const measured = []
    for (const [name, build] of Object.entries(builds)) {
      const cost = await costOfSales(build)
      report(`${name}, a sale: ${shown(cost)}`)
      measured.push(cost.totalMs)
    }
    const [ours = NaN, floor = NaN] = measured
    pairs.push({ ours, floor })
  }
  await Promise.all(Object.values(builds).map((build) => build.stop()))
  const row = 'a sale on a cluster, beside one process of each kind'
  const measure = 'processor time, all processes'
  return [compared({ row, measure, unit: 'ms', bar: 2.5, goal: 1.5, better: 'lower' }, pairs)]
}
