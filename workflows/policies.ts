import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow'

// Each policy takes the sentence by which operators know the step in the engine's UI.

/** A short transaction. It runs within the workflow task, and is tried until the database answers. */
export const ledgerPolicy = (summary: string): LocalActivityOptions => ({
  summary,
  startToCloseTimeout: '15 seconds',
  localRetryThreshold: '1 minute',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds' },
})

/** A call to a payment network: tried until it answers, as the rail recognizes a repeated order. */
export const railPolicy = (summary: string): ActivityOptions => ({
  summary,
  startToCloseTimeout: '30 seconds',
  heartbeatTimeout: '8 seconds', // after a worker has died its order is repeated while the buyer still waits
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
})

/**
 * An answer to a dispute: one that needs a file takes as long as the file is made and uploaded. A try must not begin
 * while the one before it still uploads.
 */
export const disputeAnswerPolicy = (summary: string): ActivityOptions => ({
  ...railPolicy(summary),
  startToCloseTimeout: '5 minutes',
})

/**
 * The first try of a call to a payment network that answers in some milliseconds. It runs within the workflow task, so
 * it ends before messages to the process have waited for long.
 */
export const quickRailPolicy = ({ summary = '' }: ActivityOptions): LocalActivityOptions => ({
  summary,
  startToCloseTimeout: '2 seconds',
  retry: { maximumAttempts: 1 },
})

/**
 * A call to a payment network while the process waits only for its answer: after two minutes the process checks its
 * deadlines again.
 */
export const railPolicyForTwoMinutes = (summary: string): ActivityOptions => ({
  ...railPolicy(summary),
  scheduleToCloseTimeout: '2 minutes',
})

/** A question to a payment network that a deadline waits for, half a minute at most. */
export const lastQuestionPolicy = (summary: string): ActivityOptions => ({
  ...railPolicy(summary),
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '30 seconds',
})

/** An advance of a test clock, as long as it takes. A worker that dies is noticed by its missing heartbeats. */
export const clockPolicy = (summary: string): ActivityOptions => ({
  summary,
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '8 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
})

/** A mail: a few tries, after which the process treats the mail server as unavailable. */
export const mailPolicy = (summary: string): ActivityOptions => ({
  summary,
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds', maximumAttempts: 4 },
})

/**
 * The first webhook attempt, made within the process's first task: a receiver that answers, the common case, costs no
 * further task.
 */
export const firstDeliveryPolicy = (summary: string): LocalActivityOptions => ({
  summary,
  startToCloseTimeout: '20 seconds',
  localRetryThreshold: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
})

/** A later webhook attempt. Its own limit of 10 s applies inside, so this time-out only catches a worker that died. */
export const deliveryPolicy = (summary: string): ActivityOptions => ({
  summary,
  startToCloseTimeout: '20 seconds',
  // tried again while all places of the receiver are taken
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
})

/** A scan of the engine and the database, page by page: tried until both answer. */
export const scanPolicy = (summary: string): ActivityOptions => ({
  summary,
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '2 seconds', maximumInterval: '1 minute' },
})
