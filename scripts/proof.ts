// npm run proof [-- <scenario> ...] [--size n] [--cluster]: every fault that the service must survive, at full size, on
// a real Postgres and a real Temporal service; with --cluster one of several processes. Prints the figures of each
// scenario. Exits non-zero if a promise is broken.
import { parseArgs } from 'node:util'
import { scenarios } from '../test/proof/index.ts'
import type { Scenario } from '../test/proof/scenario.ts'
import { holds, prepareProof } from './infra/proof-run.ts'
import { runSession, SetupError } from './infra/session.ts'
import { timeSkippingServer } from './infra/time-skipping.ts'

await runSession(async (session) => {
  const { chosen, size, cluster } = readArguments()
  Object.assign(process.env, await prepareProof(session, { cluster }))
  // It acts out lives of weeks.
  if (chosen.some(([name]) => name === 'no-cache'))
    process.env['TIME_SKIPPING_SERVER'] = await timeSkippingServer(console.log)
  const broken = []
  for (const [name, scenario] of chosen) {
    if (!(await holds(name, scenario, size ?? scenario.size))) broken.push(name)
  }
  console.log(broken.length === 0 ? `\nAll ${chosen.length} hold.` : `\nBROKEN: ${broken.join(', ')}`)
  return broken.length === 0 ? 0 : 1
})

function readArguments() {
  const options = { size: { type: 'string' }, cluster: { type: 'boolean' } } as const
  const { values, positionals } = parseArgs({ allowPositionals: true, options })
  const unknown = positionals.filter((name) => !(name in scenarios))
  const size = values.size === undefined ? undefined : Number(values.size)
  if (unknown.length > 0) throw new SetupError(`no such scenario; there are ${Object.keys(scenarios).join(', ')}`)
  if (size !== undefined && !(Number.isInteger(size) && size > 0)) throw new SetupError('--size must be a whole number')
  const isChosen = ([name]: [string, Scenario]) => positionals.length === 0 || positionals.includes(name)
  return { chosen: Object.entries(scenarios).filter(isChosen), size, cluster: values.cluster === true }
}
