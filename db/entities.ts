import { accessEntities } from './access/entities.ts'
import { balanceEntities } from './balance/entities.ts'
import { catalogueEntities } from './catalogue/entities.ts'
import { checkoutEntities } from './checkout/entities.ts'
import { coreEntities } from './core/entities.ts'
import { ledgerEntities } from './ledger/entities.ts'
import { payoutEntities } from './payout/entities.ts'
import { platformEntities } from './platform/entities.ts'
import { webhookEntities } from './webhook/entities.ts'
import { Customer } from './customer.ts'
import { Refund } from './refund.ts'
import { sandboxRailEntities } from '../rails/sandbox/entities.ts'

/** Every table of the service. */
export const entities = [
  ...accessEntities,
  ...balanceEntities,
  ...catalogueEntities,
  ...checkoutEntities,
  ...coreEntities,
  ...ledgerEntities,
  ...payoutEntities,
  ...platformEntities,
  ...webhookEntities,
  Customer,
  Refund,
  ...sandboxRailEntities,
]
