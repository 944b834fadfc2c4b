import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ROOT } from './paths.ts'

/** Runs a command of PATH, where scripts/run.mjs puts node_modules/.bin first. Null if it succeeds, else its output. */
export async function runTool(command: string, ...args: string[]): Promise<string | null> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return code === 0 ? null : output || `${command} ends with ${code}`
}
