import type { ActivityInterceptorsFactory } from '@temporalio/worker'

/**
 * While an activity with a heartbeat time-out runs, tells the engine that its worker is alive: should that worker die,
 * another one takes over after this time-out instead of the call's own. A call shorter than a quarter of it costs
 * nothing.
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
