import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Failure } from './failure.ts'

/** Part of the server: it needs the secret keys of the providers, which the command line never reads itself. */
const script = join(import.meta.dirname, '../scripts/check-rails.ts')

/** Adds the command `rails check`, for those who run a server. */
export function addRails(program: Command): void {
  program
    .command('rails')
    .description('look at the payment providers of a server')
    .command('check')
    .description('ask the configured providers what they allow, without moving money')
    .action(async () => {
      const { json = false } = program.opts<{ json?: boolean }>()
      process.exitCode = await checkRails(json)
    })
}

/** Runs the server's check with the variables of this process, and returns its exit code. */
async function checkRails(json: boolean): Promise<number> {
  if (!existsSync(script)) throw new Failure('NO_SERVER', 'run this in the folder of the server, with its variables')
  const child = spawn(process.execPath, [script, ...(json ? ['--json'] : [])], { stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
