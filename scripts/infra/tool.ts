import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { ROOT } from './paths.ts'

/** Runs a command of PATH, where scripts/run.mjs puts node_modules/.bin first. Null if it succeeds, else its output. */
export async function runTool(command: string, ...args: string[]): Promise<string | null> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const { code, output } = await endOf(child)
  return code === 0 ? null : output || `${command} ends with ${code}`
}

/** The exit code of a child, null where a signal has ended it, and all that it has written by then. */
export async function endOf(child: ChildProcessByStdio<null, Readable, Readable>) {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}
