/**
 * The operations that neither the interface document nor the decisions name: additions of ours, which
 * test/support/interface.ts does not hold. A new operation has to be in one of the two.
 */

const families = [
  /^\w+ \/api\/v1\/admin\//, // of staff
  /^get \/v1\/.*\/(agenda|timeline)$/,
  /^get \/v1\/(agenda|summary|request-logs|request-logs\/\{request_id\}|events\/stream)$/,
  /^\w+ \/v1\/customer-portal\/(me|subscriptions\/|invoices\/|payment-methods)/, // what a customer does there
  /^\w+ \/v1\/(onboarding|invitation|team)(\/|$)/,
  /^\w+ \/api\/v1\/auth\/(me|sessions|second-factor|code|password|backup-codes|authenticator)(\/|$)/,
  /^\w+ \/v1\/accounts\/\{account_id\}\/(capabilities|persons|onboarding-link)(\/|$)/,
  /^\w+ \/v1\/invoices\/\{page_key\}\//, // of the page of an invoice
  /^\w+ \/v1\/payment-links\/\{slug\}\//, // of the page of a link
  /^\w+ \/v1\/test-helpers\/(scenarios|disputes\/)/,
]

const single = new Set([
  'get /v1/payments/{payment_id}/receipt',
  'get /v1/customers/{customer_id}/payment-methods',
  'post /v1/customers/{customer_id}/payment-methods',
  'get /v1/customers/{customer_id}/state',
  'get /v1/disputes/{dispute_id}/documents',
  'get /v1/disputes/{dispute_id}/documents/{document_id}',
  'get /v1/conversions/quotes/{quote_id}',
  'get /v1/accounts/{account_id}/documents',
  'get /v1/virtual-accounts/{virtual_account_id}',
  'get /v1/webhooks/deliveries/{delivery_id}',
  'get /v1/webhooks/recoveries/{recovery_id}',
  'get /v1/test-helpers/clocks',
  'get /v1/test-helpers/clocks/{clock_id}',
  'delete /v1/test-helpers/clocks/{clock_id}',
])

/** Whether an operation, such as `get /v1/summary`, is an addition. */
export const isAddition = (operation: string): boolean =>
  single.has(operation) || families.some((family) => family.test(operation))
