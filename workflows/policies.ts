import type { ActivityOptions, LocalActivityOptions } from '@temporalio/workflow'

// Each policy takes the sentence by which operators know the step in the engine's UI.

/** A short transaction: rides on the workflow task, and is tried until the database answers. */
export const ledgerPolicy = (summary: string): LocalActivityOptions => ({
  summary,
  startToCloseTimeout: '15 seconds',
  localRetryThreshold: '1 minute',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds' },
})

/** A call that leaves the machine for a payment network: tried until it answers, as the rail knows a repeated order. */
export const railPolicy = (summary: string): ActivityOptions => ({
  summary,
  startToCloseTimeout: '30 seconds',
  heartbeatTimeout: '8 seconds', // a dead worker's order is repeated while its buyer still waits for the answer
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
})

/** The same, while a process waits for nothing but the answer: after two minutes it looks at its clocks again. */
export const railPolicyAtOnce = (summary: string): ActivityOptions => ({
  ...railPolicy(summary),
  scheduleToCloseTimeout: '2 minutes',
})

/** A mail: a few tries, and the process then knows that the mail server is unavailable. */
export const mailPolicy = (summary: string): ActivityOptions => ({
  summary,
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds', maximumAttempts: 4 },
})

/** One webhook attempt on the process's first task: the common case, a receiver that answers, costs no further task. */
export const firstDeliveryPolicy = (summary: string): LocalActivityOptions => ({
  summary,
  startToCloseTimeout: '20 seconds',
  localRetryThreshold: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
})

/** A later webhook attempt; its own 10 s clock runs inside, so the time-out only catches a worker that died. */
export const deliveryPolicy = (summary: string): ActivityOptions => ({
  summary,
  startToCloseTimeout: '20 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' }, // while a receiver's places are taken
})

/** A look at what the engine and the database hold, page by page: tried until both answer. */
export const lookPolicy = (summary: string): ActivityOptions => ({
  summary,
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '2 seconds', maximumInterval: '1 minute' },
})
