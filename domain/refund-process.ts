import type { Currency } from './currency.ts'
import { format } from './money.ts'
import { providerOf } from './rail-provider.ts'
import { type About, contract, type Owned, railNews, operatorUpdates } from './process-contract.ts'

export const refundProcess = contract({ prefix: 'refund', queue: 'main', updates: operatorUpdates, signals: railNews })

type Returned = Owned & Record<'status' | 'requestedAmount' | 'chargeId', string> & { currency: Currency }

export const aboutRefund = ({ accountId, environment, status, ...refund }: Returned): About => ({
  accountId,
  environment,
  status,
  waitingOn: 'rail',
  provider: providerOf(environment, refund.currency),
  summary: `${format(refund.requestedAmount, refund.currency)} ${refund.currency} of ${refund.chargeId}`,
})
