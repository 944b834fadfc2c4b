import type { Engine } from './engine.ts'

/** The one process that belongs to the deployment itself: `housekeeping/hourly`. */
export const housekeepingId = 'hourly'

/** Starts the deployment's housekeeping; where it is running it goes on as it was. */
export const startHousekeeping = (engine: Engine): Promise<void> =>
  engine.tell({
    process: 'housekeeping',
    resourceId: housekeepingId,
    about: {
      ...{ accountId: 'platform', environment: 'all', status: 'running', waitingOn: 'next hour' },
      summary: 'Deletes every hour what has been kept for long enough',
    },
    signal: null,
  })
