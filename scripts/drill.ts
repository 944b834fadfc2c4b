// npm run drill [-- engine | database | both] [--size n]: loses the engine, puts the database back to an earlier moment
// with the rails ahead of it, and both at once, each on its own Postgres and Temporal service, and restores them with
// `npm run restore`. Prints what was asked of whom. Exits with 1 if anything stays open or money moves twice.
import { bothLost, databaseRestored } from '../test/proof/database-restored.ts'
import { engineLost } from '../test/proof/engine-lost.ts'
import { holds, prepareProof } from './infra/proof-run.ts'
import { readOptions, runCommand } from './infra/run-command.ts'
import { runSession } from './infra/session.ts'

const cases = { engine: engineLost, database: databaseRestored, both: bothLost }
/** Sales in each case: enough that every kind of work is under way, and each case takes a few minutes. */
const salesUsual = 20

const usage = `npm run drill -- [engine] [database] [both] [--size n]

  engine      the engine's data is lost under load
  database    Postgres is put back to an earlier moment, and the rails know more than it
  both        both at once
  --size      how many sales are made in each case; ${salesUsual} if left out
  --help      shows this

Without a case it does all three. It makes its own Postgres and Temporal service, and touches no other.`

type Case = keyof typeof cases
type Order = { chosen: Case[]; size: number }

function readOrder(values: { size?: string }, given: string[]): Order | null {
  const all = Object.keys(cases) as Case[]
  const size = Number(values.size ?? salesUsual)
  if (given.some((name) => !Object.hasOwn(cases, name)) || !(Number.isInteger(size) && size > 0)) return null
  return { chosen: given.length === 0 ? all : all.filter((name) => given.includes(name)), size }
}

const drill = ({ chosen, size }: Order): Promise<number> =>
  runSession(async (session) => {
    Object.assign(process.env, await prepareProof(session))
    const broken = []
    for (const name of chosen) if (!(await holds(name, cases[name], size))) broken.push(name)
    const says = 'Everything has ended, and nothing was paid twice.'
    console.log(broken.length === 0 ? `\n${says}` : `\nBROKEN: ${broken.join(', ')}`)
    return broken.length === 0 ? 0 : 1
  })

await runCommand(readOptions({ size: { type: 'string' } }, readOrder), { usage, run: drill, failureCode: 1 })
