import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { logTail, startChild } from '../infra/child.ts'
import { readPrivateJson } from '../infra/keep.ts'
import { LOCAL, ROOT } from '../infra/paths.ts'
import { SetupError, temporaryFolder, type Session } from '../infra/session.ts'
import type { DevelopmentFile } from '../infra/welcome.ts'
import { say } from './step.ts'

/** Long, because the very first start may have to fetch or build a Temporal service. */
const START_MS = 600_000
const STOP_MS = 60_000
const REPORT_EVERY_MS = 20_000

export type Stack = DevelopmentFile & { api_key: string }

/** The stack that `npm start` runs in this clone, or one of our own that stops when the demo ends. */
export async function findStack(session: Session): Promise<Stack> {
  const running = await findRunning()
  if (running) {
    say(`Using the stack that runs already: ${running.base_url}`)
    return running
  }
  return startOwn(session)
}

async function startOwn(session: Session): Promise<Stack> {
  say('Starting the stack, as npm start does; it stops when the demo ends ...')
  const child = startChild({
    name: 'npm start',
    command: [process.execPath, join(ROOT, 'scripts/start.ts')],
    cwd: ROOT,
    env: process.env,
    logFile: join(temporaryFolder(session), 'start.log'), // not in .local/logs, which a start empties
    stopMs: STOP_MS,
  })
  session.atEnd(async () => {
    say('Stopping the stack ...')
    await child.stop()
  })
  const startedAt = performance.now()
  for (let reportedAt = startedAt; performance.now() - startedAt < START_MS; await sleep(200)) {
    const ready = logTail(child.logFile, 200).includes('\nReady after ') ? await findRunning() : null
    if (ready) return ready
    if (!child.isRunning()) throw new SetupError(`The stack did not start. Its log ends:\n${logTail(child.logFile)}`)
    if (performance.now() - reportedAt < REPORT_EVERY_MS) continue
    reportedAt = performance.now()
    say(`  ${logTail(child.logFile, 1)}`)
  }
  throw new SetupError(`The stack is not ready after ${START_MS / 1000} s. Its log ends:\n${logTail(child.logFile)}`)
}

/** The stack of this clone, if it answers and accepts this clone's key: another clone may use its port by now. */
async function findRunning(): Promise<Stack | null> {
  const known = readPrivateJson<Partial<DevelopmentFile>>(join(LOCAL, 'dev.json'))
  if (!known?.base_url || !known.temporal_address) return null
  const ready = await get(`${known.base_url}/readyz`)
  if (!ready?.ok) return null
  if (!known.api_key) {
    throw new SetupError(
      `The stack at ${known.base_url} runs, but .local/dev.json holds no key for it: the demo needs one.`,
    )
  }
  const ours = await get(`${known.base_url}/v1/checkout-sessions?limit=1`, known.api_key)
  return ours?.ok ? (known as Stack) : null
}

const get = (url: string, key?: string): Promise<Response | null> =>
  fetch(url, {
    signal: AbortSignal.timeout(3_000),
    ...(key && { headers: { authorization: `Bearer ${key}` } }),
  }).catch(() => null)
