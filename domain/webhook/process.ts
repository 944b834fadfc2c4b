import { type About, clockMoved, contract, message, type Owned, operatorUpdates } from '../process-contract.ts'

const { retry, hold, release, markFailed } = operatorUpdates

export const deliveryProcess = contract({
  prefix: 'delivery',
  queue: 'webhooks',
  updates: { retry, hold, release, markFailed },
  signals: { attemptNow: message('Make the next attempt now instead of at its time.'), ...clockMoved },
})

type DeliveredEvent = { type: string; environment: string; resourceId: string }

/** `accountId` is the endpoint's: the platform's own, also for an event of an account that is connected to it. */
export const aboutDelivery = (
  { type, environment, resourceId }: DeliveredEvent,
  { accountId }: Pick<Owned, 'accountId'>,
): About => ({
  accountId,
  environment,
  status: 'pending',
  waitingOn: 'receiver',
  summary: `${type} of ${resourceId}`,
})

export const endpointProcess = contract({
  prefix: 'endpoint',
  queue: 'webhooks',
  signals: {
    failed: message('An attempt has failed, the first one since the last success.'),
    succeeded: message('An attempt has succeeded.'),
    disabled: message('The merchant has switched the endpoint off or on again, or deleted it.'),
    ...clockMoved,
  },
})

/** `warnedAt`: when its owners were mailed about the run of failures, before its process was started again. */
export const aboutEndpoint = ({ accountId, environment, warnedAt }: Owned & { warnedAt?: Date | null }): About => ({
  accountId,
  environment,
  status: warnedAt ? 'warned' : 'failing',
  waitingOn: 'receiver',
  summary: 'Every delivery fails',
})

export const recoveryProcess = contract({ prefix: 'recovery', queue: 'webhooks' })

type Missed = Owned & { endpointId: string; since: Date; until: Date }

export const aboutRecovery = ({ accountId, environment, endpointId, since, until }: Missed): About => ({
  accountId,
  environment,
  status: 'pending',
  waitingOn: 'deliveries',
  summary: `What ${endpointId} has missed from ${since.toISOString()} to ${until.toISOString()}`,
})
