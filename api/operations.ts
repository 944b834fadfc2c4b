import { accessOperations } from './access/operations.ts'
import { balanceOperations } from './balance/operations.ts'
import { catalogueOperations } from './catalogue/operations.ts'
import { checkoutOperations } from './checkout/operations.ts'
import { disputeOperations } from './dispute/operations.ts'
import { payoutOperations } from './payout/operations.ts'
import { platformOperations } from './platform/operations.ts'
import { reviewOperations } from './review/operations.ts'
import { sandboxOperations } from './sandbox/operations.ts'
import { sightOperations } from './sight/operations.ts'
import { subscriptionOperations } from './subscription/operations.ts'
import { transferOperations } from './transfer/operations.ts'
import { webhookOperations } from './webhook/operations.ts'
import type { Operation } from './http/operation.ts'
import * as customer from './customer.ts'
import * as refund from './refund.ts'

/** Every operation of the API: the route table and the OpenAPI document are this list. */
export const operations: readonly Operation[] = [
  ...checkoutOperations,
  ...catalogueOperations,
  customer.createCustomer,
  customer.listCustomers,
  customer.getCustomer,
  customer.updateCustomer,
  refund.createRefund,
  refund.getRefund,
  refund.getRefundOfCharge,
  refund.listRefunds,
  ...disputeOperations,
  ...subscriptionOperations,
  ...payoutOperations,
  ...reviewOperations,
  ...balanceOperations,
  ...transferOperations,
  ...platformOperations,
  ...webhookOperations,
  ...accessOperations,
  ...sightOperations,
  ...sandboxOperations,
]
