import { ApplicationFailure } from '@temporalio/common'
import {
  isGrpcCancelledError,
  isGrpcDeadlineError,
  isGrpcServiceError,
  WorkflowNotFoundError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client'

/** Whether a process has only not answered yet: it may still do what it was asked. */
export const isSlow = (error: unknown): boolean =>
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcDeadlineError(error) || isGrpcCancelledError(error)

/** Whether a process ended at the very moment at which it was asked something. */
export function hasJustEnded(error: unknown): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof ApplicationFailure && inner.type === 'AcceptedUpdateCompletedWorkflow') return true
    const code = 'code' in inner ? inner.code : undefined
    if (code === grpcNotFound || inner instanceof WorkflowNotFoundError || isNotReady(inner)) return true
    if (/[Cc]ompleted workflow|workflow execution already completed/.test(inner.message)) return true
  }
  return false
}

const grpcNotFound = 5

/**
 * Whether a task of the process failed as the message came: the engine fails the one that would end a process which
 * has something to hear, and the message with it.
 */
function isNotReady(error: Error): boolean {
  const { metadata } = error as Error & { metadata?: { get?(name: string): (Buffer | string)[] } }
  const details = metadata?.get?.('grpc-status-details-bin') ?? []
  return details.some((detail) => detail.toString('latin1').includes('WorkflowNotReadyFailure'))
}

/**
 * What the system says of a connection, and what Postgres says when it could not do a thing for now, and so has not
 * done it:
 *
 * - 08, 57P0x: the connection was lost; it is starting, stopping or going over to a copy
 * - 53: out of connections, memory or disk
 * - 57014, 55P03, 25P03, 25P04: a statement, a lock or a transaction took longer than it may
 * - 25006: it is read-only, as a copy of the database is until it takes over
 * - 40001, 40P01: two transactions were in each other's way, and this one had to give in
 */
const unavailableCodes =
  /^(ECONN|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENOTFOUND|08|53|57P0|57014|55P03|25P0[34]|25006|40001|40P01)/
const unavailableMessages =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|server closed the connection/

/** Whether two transactions were in each other's way: made again at once, one of them goes through. */
export const isContended = (error: unknown): boolean => hasCode(error, '40001', '40P01')

/** Whether the database refuses to be written, as a copy of it does. */
export const isReadOnly = (error: unknown): boolean => hasCode(error, '25006')

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

/**
 * Whether the database or the engine could not be reached, or could not do it for now, so that trying again later is
 * the right advice. The pool's own words say the same as the codes.
 */
export function isUnavailable(error: unknown): boolean {
  if (isSlow(error)) return true
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const code = 'code' in inner ? inner.code : undefined
    if (isGrpcServiceError(inner) || unavailableMessages.test(inner.message)) return true
    if (typeof code === 'string' && unavailableCodes.test(code)) return true
  }
  return false
}
