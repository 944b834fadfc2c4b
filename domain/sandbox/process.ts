import { type About, contract, message, type Owned } from '../process-contract.ts'

export const clockProcess = contract({
  prefix: 'clock',
  queue: 'main',
  signals: { advance: message('The clock is to be advanced to the moment in its row.') },
})

export const aboutClock = ({ accountId, environment, name }: Owned & { name: string }): About => ({
  accountId,
  environment,
  status: 'advancing',
  waitingOn: 'members',
  // A character that is cut in half could not be stored.
  summary: `Test clock ${name.slice(0, 100).replace(/[\uD800-\uDBFF]$/, '')}`,
})
