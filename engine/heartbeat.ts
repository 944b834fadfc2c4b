import type { ActivityInterceptorsFactory } from '@temporalio/worker'

/**
 * Sends heartbeats to the engine while an activity with a heartbeat time-out runs. If the worker dies, another one
 * takes over after that time-out, which is shorter than the activity's own. An activity shorter than a quarter of the
 * time-out sends none.
 */
export const heartbeatWhileRunning: ActivityInterceptorsFactory = (context) => ({
  inbound: {
    async execute(input, next) {
      const { heartbeatTimeoutMs } = context.info
      if (!heartbeatTimeoutMs) return next(input)
      const beating = setInterval(() => context.heartbeat(), heartbeatTimeoutMs / 4)
      try {
        return await next(input)
      } finally {
        clearInterval(beating)
      }
    },
  },
})
