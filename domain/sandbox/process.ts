import { cutText } from '../characters.ts'
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
  summary: `Test clock ${cutText(name, 100)}`,
})
