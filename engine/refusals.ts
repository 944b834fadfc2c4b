import { ApplicationFailure } from '@temporalio/common'
import type { Info } from '@temporalio/activity'
import type { ActivityInterceptorsFactory } from '@temporalio/worker'
import { isErrorCode, isTransient, Refusal } from '../domain/refusal.ts'
import { type Logger, serializeError } from './logger.ts'

/**
 * Translates the errors that activities throw. A business refusal becomes final: the engine does not retry it. All
 * other errors are retried, also a refusal that means "unavailable" or "busy". Of an unexpected error only the name and
 * the code are kept, as a database's message may quote a row.
 */
export const translateErrors =
  (logger: Logger): ActivityInterceptorsFactory =>
  ({ info }) => ({
    inbound: {
      async execute(input, next) {
        try {
          return await next(input)
        } catch (error) {
          if (!(error instanceof Refusal)) throw unexpected(error, logger, info)
          if (isTransient(error.code)) logRetry(error, logger, info)
          throw ApplicationFailure.create({
            message: error.message,
            // also for a transient refusal: an activity with limited retries still ends with this code
            type: error.code,
            nonRetryable: !isTransient(error.code),
            details: [error.errors, error.retryAfter],
          })
        }
      },
    },
  })

function unexpected(error: unknown, logger: Logger, info: Info): ApplicationFailure {
  logRetry(error, logger, info)
  const { type, code } = serializeError(error)
  return ApplicationFailure.create({ message: [type, code].filter(Boolean).join(' '), type: 'Unexpected' })
}

function logRetry(error: unknown, logger: Logger, { activityType, attempt, workflowExecution }: Info): void {
  const workflowId = workflowExecution?.workflowId
  logger.warn({ err: error, activityType, attempt, workflowId }, 'an activity is tried again')
}

/** The refusal in the engine's error about a failed process, activity or update; undefined if there is none. */
export function refusalIn(error: unknown): Refusal | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (!(inner instanceof ApplicationFailure) || !inner.type || !isErrorCode(inner.type)) continue
    const [errors, retryAfter] = (inner.details ?? []) as [Refusal['errors']?, Refusal['retryAfter']?]
    return new Refusal(inner.type, inner.message, errors ?? [], retryAfter ?? null)
  }
  return undefined
}
