import { logTail } from './child.ts'
import type { Secrets } from './keep.ts'
import { lookUntil } from './look-until.ts'
import { NODE_VARIABLES } from './node.ts'
import { SetupError } from './session.ts'

const READY_MS = 180_000 // a machine may be busy

type Prepared = {
  databaseUrl: string
  temporal: { address: string; uiUrl: string | null }
  /** The folder of the bundled workflows. */
  bundle: string
  secrets: Secrets
}

/** The environment of workers and APIs, without their ports. Our own environment may set what is not prepared here. */
export function serviceEnvironment({ databaseUrl, temporal, bundle, secrets }: Prepared): NodeJS.ProcessEnv {
  return {
    ALLOW_LOOPBACK_WEBHOOKS: '1',
    ...process.env,
    ...NODE_VARIABLES,
    ENCRYPTION_KEYS: secrets.ENCRYPTION_KEYS,
    KEY_PEPPER: secrets.KEY_PEPPER,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    ...(temporal.uiUrl && { TEMPORAL_UI_URL: temporal.uiUrl }),
    WORKFLOW_BUNDLES: bundle,
    HOST: '127.0.0.1',
  }
}

/** Waits until a GET of the address succeeds. Throws a SetupError with the end of the log if that takes 3 minutes. */
export async function untilAnswers(name: string, url: string, logFile: string): Promise<void> {
  const answers = async () => (await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => null))?.ok ?? false
  if (await lookUntil(answers, { limitMs: READY_MS })) return
  throw new SetupError(`${name} is not ready after ${READY_MS / 1000} s. Its log ends:\n${logTail(logFile)}`)
}
