import { spawnSync } from 'node:child_process'
import { ROOT } from './paths.ts'

type Options = { cwd?: string; env?: NodeJS.ProcessEnv; input?: string }

/** How a program has ended, with what it has written to stdout, and to both stdout and stderr. */
export type Ran = { isGood: boolean; stdout: string; says: string }

/** Runs a program to its end, in the root of this tree and with our environment if nothing else is said. */
export function runProgram(command: string, args: readonly string[], options: Options = {}): Ran {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, ...options, encoding: 'utf8' })
  return { isGood: status === 0, stdout: stdout ?? '', says: `${stdout ?? ''}${stderr ?? ''}` }
}
