import { ApplicationFailure } from '@temporalio/common'
import {
  isGrpcCancelledError,
  isGrpcDeadlineError,
  isGrpcServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client'
import { hasGrpcStatus } from './grpc-status.ts'

/** Whether a process has not answered in time. It may still carry out the update. */
export const isSlow = (error: unknown): boolean =>
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error) || isGrpcCancelledError(error)

/** Whether an update failed because its process ended, or was about to end, when the update arrived. */
export function hasJustEnded(error: unknown): error is Error {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof ApplicationFailure && endedTypes.has(inner.type ?? '')) return true
    if (hasGrpcStatus(inner, 'notFound') || inner instanceof WorkflowNotFoundError || isNotReady(inner)) return true
    if (/[Cc]ompleted workflow|workflow execution already completed/.test(inner.message)) return true
  }
  return false
}

/**
 * The process ended after it had taken the update up, or in a task in which it was sent and never read. The engine says
 * the latter also of a process that knows no such update: ours declare all of theirs.
 */
const endedTypes = new Set(['AcceptedUpdateCompletedWorkflow', 'UnprocessedUpdate'])

/**
 * Whether the engine rejected the update because a workflow task of the process failed. It fails a task that would end
 * the process although a signal or another event has arrived meanwhile, and rejects the updates sent with that task.
 */
function isNotReady(error: Error): boolean {
  const { metadata } = error as Error & { metadata?: { get?(name: string): (Buffer | string)[] } }
  const details = metadata?.get?.('grpc-status-details-bin') ?? []
  return details.some((detail) => detail.toString('latin1').includes('WorkflowNotReadyFailure'))
}

/**
 * Error codes of the system about a connection, and of Postgres when it cannot run a statement now and has not run it:
 *
 * - 08, 57P0x: the connection was lost; the database is starting, stopping or failing over
 * - 53: out of connections, memory or disk
 * - 57014, 55P03, 25P03, 25P04: a statement, a lock or a transaction exceeded its time-out
 * - 25006: the database is read-only, as a replica is until it takes over
 * - 40001, 40P01: two transactions conflicted, and this one was rolled back
 */
const unavailableCodes = new RegExp(
  '^(ECONN|ETIMEDOUT|EPIPE|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN|' +
    'ERR_SOCKET_CONNECTION_TIMEOUT|08|53|57P0|57014|55P03|25P0[34]|25006|40001|40P01)',
)
const unavailableMessages =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|server closed the connection/

/** Whether two transactions conflicted. Run again at once, this one is likely to succeed. */
export const isContended = (error: unknown): boolean => hasCode(error, '40001', '40P01')

/** Whether the database refuses writes, as a replica does. */
export const isReadOnly = (error: unknown): boolean => hasCode(error, '25006')

/** Whether the database has no room on its disk for what a statement would write. What it has can be read. */
export const isDiskFull = (error: unknown): boolean => hasCode(error, '53100')

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/**
 * Whether the database or the engine could not be reached, or could not do the work now, so that a later retry makes
 * sense. The connection pool reports this in messages instead of codes.
 */
export function isUnavailable(error: unknown): boolean {
  if (isSlow(error)) return true
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  if (isGrpcServiceError(error) || unavailableMessages.test(error.message)) return true
  if (typeof code === 'string' && unavailableCodes.test(code)) return true
  // A host with several addresses was tried at each of them, and the error has the code of the first one only.
  const others: unknown[] = 'errors' in error && Array.isArray(error.errors) ? error.errors : []
  return [error.cause, ...others].some((inner) => isUnavailable(inner))
}
