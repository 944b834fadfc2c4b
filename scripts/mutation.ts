// npm run mutation [-- <file or pattern> ...]: changes the rules of domain/ in one place at a time (Stryker) and runs
// the tests of rules on each change. A change that no test notices has survived. Prints the score of each file, and
// exits with 1 where less than 85 % of the changes were noticed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from './infra/paths.ts'

const files = process.argv.slice(2)
const args = [
  'run',
  join(ROOT, 'scripts/mutation/stryker.json'),
  ...(files.length > 0 ? ['--mutate', files.join()] : []),
]
const child = spawn('stryker', args, { cwd: ROOT, stdio: 'inherit' })
const [code] = (await once(child, 'exit')) as [number | null]
process.exitCode = code ?? 1
