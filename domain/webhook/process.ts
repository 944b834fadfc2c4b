import { contract, message } from '../process-contract.ts'

export const deliveryProcess = contract({
  prefix: 'delivery',
  queue: 'webhooks',
  signals: { attemptNow: message('Do not wait for the next attempt’s time: make it now.') },
})

export const endpointProcess = contract({
  prefix: 'endpoint',
  queue: 'webhooks',
  signals: {
    failed: message('An attempt has failed where none had before.'),
    succeeded: message('An attempt has succeeded.'),
    disabled: message('The merchant has switched the endpoint off or on again, or deleted it.'),
  },
})

export const recoveryProcess = contract({ prefix: 'recovery', queue: 'webhooks' })
