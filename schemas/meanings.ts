import { accessMeanings } from './access/meanings.ts'
import { balanceMeanings } from './balance/meanings.ts'
import { catalogueMeanings } from './catalogue/meanings.ts'
import { checkoutMeanings } from './checkout/meanings.ts'
import { commonMeanings } from './common-meanings.ts'
import { customerMeanings } from './customer-meanings.ts'
import { disputeMeanings } from './dispute/meanings.ts'
import { payoutMeanings } from './payout/meanings.ts'
import { platformMeanings } from './platform/meanings.ts'
import { refundMeanings } from './refund/meanings.ts'
import { sandboxMeanings } from './sandbox/meanings.ts'
import { sightMeanings } from './sight/meanings.ts'
import { subscriptionMeanings } from './subscription/meanings.ts'
import { transferMeanings } from './transfer/meanings.ts'
import { webhookMeanings } from './webhook/meanings.ts'

/** The texts of each table, which do not overlap. */
export const meaningTables: readonly Readonly<Record<string, string>>[] = [
  commonMeanings,
  accessMeanings,
  balanceMeanings,
  catalogueMeanings,
  checkoutMeanings,
  customerMeanings,
  disputeMeanings,
  payoutMeanings,
  platformMeanings,
  refundMeanings,
  sandboxMeanings,
  sightMeanings,
  subscriptionMeanings,
  transferMeanings,
  webhookMeanings,
]

/** What the fields and parameters of the API mean, where a schema does not say it itself. */
export const meanings: Readonly<Record<string, string>> = Object.assign({}, ...meaningTables)
