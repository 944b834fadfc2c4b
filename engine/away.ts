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
    const { code } = inner as Error & { code?: unknown }
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

/** Postgres: connection lost or refused, shutting down, too many connections; and the pool's own words for these. */
const awayCodes = /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|57P0|08|53|25P03)/
const awayWords =
  /Connection terminated|is not queryable|timeout exceeded when trying to connect|server closed the connection/

/** Whether the database or the engine could not be reached, so that trying again later is the right advice. */
export function isAway(error: unknown): boolean {
  if (isSlow(error)) return true
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const { code } = inner as Error & { code?: unknown }
    if (isGrpcServiceError(inner) || awayWords.test(inner.message)) return true
    if (typeof code === 'string' && awayCodes.test(code)) return true
  }
  return false
}
