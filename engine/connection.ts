import { Connection, defaultGrpcRetryOptions, isGrpcServiceError, makeGrpcRetryInterceptor } from '@temporalio/client'
import { systemClock } from './clock.ts'
import { hasGrpcStatus } from './grpc-status.ts'
import type { TemporalAccess } from './temporal-config.ts'

/** About 2 s of retries. The default is 25 s, and the retries heed a call's deadline, but not its abort signal. */
const attemptsMax = 5
/** The default is up to 2 minutes: after a long outage nothing would be dispatched for that long. */
const reconnectMaxMs = 2_000

/** About 30 s of retries, longer than a restart of the engine takes: for commands that would be left half done. */
const patientAttemptsMax = 12
const patientMs = 30_000

/** Is told once that the engine does not answer and is asked again. A command that gives it waits for a restart. */
type OnUnavailable = () => void

/** A connection that opens at its first call, fails fast while the engine is unavailable, and reconnects fast. */
export const connectToEngine = (access: TemporalAccess, onUnavailable?: OnUnavailable): Connection =>
  Connection.lazy({
    ...access,
    channelArgs: { 'grpc.max_reconnect_backoff_ms': reconnectMaxMs },
    interceptors: [makeGrpcRetryInterceptor(onUnavailable ? patiently(access, onUnavailable) : quickly)],
  })

const quickly = defaultGrpcRetryOptions({ maxAttempts: attemptsMax })

/** What is wrong with a certificate does not change by waiting. */
function patiently(access: TemporalAccess, onUnavailable: OnUnavailable): typeof quickly {
  const { delayFunction, retryableDecider } = defaultGrpcRetryOptions({ maxAttempts: patientAttemptsMax })
  let isTold = false
  return {
    delayFunction,
    retryableDecider(attempt, status) {
      if (!retryableDecider(attempt, status) || meaningOf(status.details, access) !== null) return false
      if (attempt >= attemptsMax && !isTold) {
        isTold = true
        onUnavailable()
      }
      return true
    },
  }
}

/** The engine does not answer, or refuses this process. The message says why, in words without secrets. */
export class EngineUnreachable extends Error {
  override readonly name = 'EngineUnreachable'
}

const answersWithinMs = 10_000

/**
 * Opens a connection and asks the engine something. Throws `EngineUnreachable` if it does not answer. The SDK's own
 * `Connection.connect` only says that a deadline has passed, also where a certificate is not trusted. With
 * `onUnavailable` each call waits for an engine that restarts.
 */
export async function openEngine(access: TemporalAccess, onUnavailable?: OnUnavailable): Promise<Connection> {
  const connection = connectToEngine(access, onUnavailable)
  try {
    await askEngine(connection, access, onUnavailable ? patientMs : answersWithinMs)
    return connection
  } catch (error) {
    await connection.close()
    throw error
  }
}

/** Asks the engine something. Throws `EngineUnreachable` if it does not answer. */
export async function askEngine(
  connection: Connection,
  access: TemporalAccess,
  withinMs = answersWithinMs,
): Promise<void> {
  const ask = () => connection.workflowService.getSystemInfo({})
  try {
    await connection.withDeadline(systemClock.now() + withinMs, ask)
  } catch (error) {
    const { address, tls } = access
    const how = tls ? 'over TLS' : 'without TLS'
    throw new EngineUnreachable(`Temporal at ${address} cannot be used ${how}: ${reasonOf(error, access)}`, {
      cause: error,
    })
  }
}

function reasonOf(error: unknown, access: TemporalAccess): string {
  const said = isGrpcServiceError(error) ? error.details : (error as Error).message
  const isRefused = hasGrpcStatus(error, 'permissionDenied', 'unauthenticated')
  const means = isRefused ? refused(access) : meaningOf(said, access)
  return means === null ? said.trim() : `${means} (${said.trim()})`
}

const refused = ({ apiKey }: TemporalAccess): string =>
  apiKey === undefined
    ? 'it refuses this process; it may want TEMPORAL_API_KEY, or another TEMPORAL_NAMESPACE'
    : 'it refuses this process; check TEMPORAL_API_KEY and TEMPORAL_NAMESPACE'

/** What a failed handshake means to who configures the service; null if it is not known. */
function meaningOf(said: string, { tls }: TemporalAccess): string | null {
  if (/self-signed certificate|unable to (get|verify)/.test(said))
    return 'its certificate is of no authority that is trusted here; TEMPORAL_TLS_CA names one'
  if (/does not match certificate's altnames/.test(said))
    return 'its certificate is for another name; TEMPORAL_TLS_SERVER_NAME says which one to expect'
  if (/certificate has expired|not yet valid/.test(said)) return 'its certificate is not valid at this time'
  if (/alert (certificate|bad certificate|unknown ca|handshake failure)/.test(said))
    return tls && tls.clientCertPair
      ? 'it does not accept the certificate in TEMPORAL_TLS_CERT'
      : 'it asks for a certificate; set TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY'
  return /wrong version number/.test(said) ? 'it does not speak TLS' : null
}
