/**
 * The interface in tables, written by the interface document and the decisions, not by our declarations, so that
 * test/http/interface.test.ts can compare the operations with it. A list of words is an object's fields; a trailing
 * `?` marks an optional one.
 */

import type { EventType } from '../../domain/webhook/event.ts'
import { billingEventFields, billingResources, billingRoutes, billingValues } from './interface-billing.ts'
import { limit, listOf, momentsOf, read, type Route, words, write } from './interface-form.ts'
import { platformEventFields, platformResources, platformRoutes, platformValues } from './interface-platforms.ts'

/** The fields of each resource that a caller sees. Additional fields are allowed. */
export const resources: Record<string, string[]> = {
  ...billingResources,
  ...platformResources,
  checkoutSettings: words('organization_id enabled_payment_methods fee_preference message'),
  checkout: words(`checkout_id status payment_status recurring source_type amount currency billing_currency reference
    charge payment_method customer customer_details success_url cancel_url products platform_fee transfer_amount
    session_mode metadata ${momentsOf} expires_at completed_at`),
  payment: words(`payment_id status amount amount_received currency fee_usd fee_preference billing_reason payment_method
    payment_method_details customer customer_details line_items checkout_id subscription_id invoice reference
    platform_fee transfer_amount refunded_amount refund_status disputed failure_code failure_message metadata
    ${momentsOf} completed_at`),
  customer: words(`customer_id email name phone_number metadata billing_address ${momentsOf}`),
  listedCustomer: words(`customer_id email name metadata ${momentsOf}`),
  product: words(`product_id name description active price_type amount currency minimum_amount maximum_amount
    suggested_amount recurring images category metadata ${momentsOf}`),
  productGroup: words(`product_group_id name description active products metadata ${momentsOf}`),
  upload: words('upload_id file_name content_type size sha256 created_at'),
  refund: words(`refund_id charge_id reference status requested_amount refunded_amount refund_fee_amount fee_bearer
    reason? ${momentsOf} completed_at`),
  paymentMethod: words('id display_name icon description type enabled_by_default currencies'),
  paymentLink: words(`payment_link_id url active name product_cart product_group_id price success_url customer_creation
    payment_method_options platform_fee transfer_data max_completions completed_count expires_at inactive_message
    metadata ${momentsOf}`),
  virtualAccount: words(`virtual_account_id account_number account_name bank_name bank_code currency status customer_id
    created_at`),
  payout: words(`id status amount currency source_currency fee total_debited destination reference failure_reason
    created_at completed_at`),
  destination: words(`id name type currency status status_reason is_usable is_default account_number account_name
    bank_code bank_name phone_number mobile_provider wallet_address network reviewed_at ${momentsOf}`),
  balance: words('currency available pending reserved owed'),
  balanceTransaction: words('transaction_id type amount currency balance_after source_id available_at created_at'),
  quote: words('quote_id from_amount from_currency to_amount to_currency rate fee status expires_at'),
  conversion: words(`conversion_id status from_amount from_currency to_amount to_currency rate fee failure_reason
    ${momentsOf}`),
  webhookEndpoint: words(`endpoint_id url description events account_scope has_secret enabled disabled_at
    disabled_reason failing_since warned_at stats_24h metadata ${momentsOf}`),
  delivery: words(`delivery_id event_id endpoint_id status trigger next_attempt_at attempts attempts.number attempts.at
    attempts.response_status attempts.response_body attempts.duration_ms attempts.error`),
  event: words('id type created_at data'),
  webhookConfiguration: words('success webhook_url has_secret is_active'),
  loginToken: words('token expires_at'),
  challenge: words(`challenge_id method expires_at backup_code_allowed user user.id user.email user.full_name
    user.hasOnboarded`),
  loggedIn: words('access_token refresh_token user user.id user.email user.full_name user.hasOnboarded'),
  tokens: words('access_token refresh_token'),
  createdKey: words('api_key_id key key_name created_at expires_at'),
  listedKey: words('api_key_id key_name is_active created_at last_used_at expires_at'),
}

/** The fields of the events' `data`, of all that the interface and the decisions spell out; `=` is a constant. */
export const eventFields: Partial<Record<EventType, string[]>> = {
  ...billingEventFields,
  ...platformEventFields,
  'collection.succeeded': words(`reference status=success amount currency settlement_amount settlement_currency customer
    completed_at payment_method_details checkout_id`),
  'collection.failed': words('reference status=failed amount currency customer failed_at'),
  'collection.underpaid': words('reference status=underpaid amount amount_received currency customer'),
  'payout.created': words('payout_id status=created payout_amount payout_currency created_at'),
  'payout.paid': words('payout_id status=paid payout_amount payout_currency completed_at'),
  'payout.failed': words('payout_id status=failed payout_amount payout_currency failed_at'),
  'refund.created': words('refund_id status=created amount currency reference'),
  'refund.paid': words('refund_id status=paid amount currency reference completed_at'),
  'refund.failed': words('refund_id status=failed amount currency reference'),
  'conversion.completed': words('from_amount from_currency to_amount to_currency completed_at'),
  'conversion.failed': words('from_amount from_currency to_currency failed_at'),
  'checkout.completed': words(`checkout_id payment_status amount currency billing_currency reference source_type
    session_mode products customer customer_details payment_id subscription_id payment_method metadata completed_at`),
  'checkout.expired': words(`checkout_id status payment_status amount currency reference customer_details
    last_failure_code metadata expired_at`),
  'customer.created': resources['customer'] ?? [],
  'customer.updated': resources['customer'] ?? [],
}

/** Every value of the fields with a closed set of values. */
export const values: Record<string, string[]> = {
  ...billingValues,
  ...platformValues,
  'checkout.status': words('open completed expired cancelled'),
  'checkout.payment_status': words(`requires_payment_method requires_confirmation requires_action processing succeeded
    failed canceled`),
  'checkout.session_mode': words('CART SELECTION'),
  'payment.status': words('requires_action processing succeeded underpaid failed canceled'),
  'payment.refund_status': words('none partial full'),
  'refund.status': words('pending processing succeeded failed'),
  'refund.fee_bearer': words('ORG CUSTOMER'),
  'product.price_type': words('fixed free custom'),
  'checkoutSettings.fee_preference': words('customer_pays org_pays'),
  'paymentMethod.type': words('fiat crypto'),
  'payout.status': words('requested pending processing approved rejected completed failed'),
  'destination.type': words('bank_account mobile_money crypto_wallet'),
  'destination.status': words('pending_review approved rejected'),
  'quote.status': words('active used expired'),
  'conversion.status': words('pending processing completed failed'),
  'webhookEndpoint.account_scope': words('own connected all'),
  'delivery.status': words('pending succeeded failed skipped'),
  'delivery.trigger': words('automatic manual recovery test'),
  'challenge.method': words('totp email_otp'),
}

const destinationBounds: Route['takes'] = {
  name: { minLength: 1, maxLength: 255 },
  currency: { maxLength: 10 },
  account_number: { maxLength: 50 },
  account_name: { maxLength: 255 },
  bank_code: { maxLength: 20 },
  bank_name: { maxLength: 255 },
  phone_number: { maxLength: 20 },
  mobile_provider: { maxLength: 50 },
  wallet_address: { maxLength: 255 },
  network: { maxLength: 50 },
}

const webhookWrite = { status: 200, scope: 'webhooks:write' }
const login = (one: string, takes: Route['takes'] = {}): Route => ({ status: 200, one, auth: 'none', takes })
const required = { required: true } as const

/** The operations of webhooks, login and keys. */
const accessRoutes: Record<string, Route> = {
  'put /api/v1/notifications/webhooks/configuration': {
    ...write(200, 'webhookConfiguration', 'webhooks:write', {
      webhook_url: required,
      webhook_secret: { minLength: 8, maxLength: 64 },
    }),
    fields: ['message'],
  },
  'get /api/v1/notifications/webhooks/endpoint': read('webhookConfiguration', 'webhooks:read'),
  'post /api/v1/notifications/webhooks/test': webhookWrite,
  'post /v1/webhooks/endpoints': write(201, 'webhookEndpoint', 'webhooks:write', { url: required }),
  'get /v1/webhooks/endpoints': listOf('webhookEndpoint', 'webhooks:read'),
  'get /v1/webhooks/endpoints/{endpoint_id}': read('webhookEndpoint', 'webhooks:read'),
  'patch /v1/webhooks/endpoints/{endpoint_id}': write(200, 'webhookEndpoint', 'webhooks:write', {
    enabled: {},
    url: {},
    description: {},
    events: {},
    metadata: {},
  }),
  'delete /v1/webhooks/endpoints/{endpoint_id}': { ...webhookWrite, fields: ['endpoint_id', 'deleted'] },
  'get /v1/webhooks/endpoints/{endpoint_id}/secret': { status: 200, scope: 'webhooks:read' },
  'post /v1/webhooks/endpoints/{endpoint_id}/secret/rotate': { ...webhookWrite, takes: { grace_hours: {} } },
  'post /v1/webhooks/endpoints/{endpoint_id}/test': { ...webhookWrite, takes: { type: {} } },
  'get /v1/webhooks/endpoints/{endpoint_id}/deliveries': {
    ...listOf('delivery', 'webhooks:read'),
    takes: { ...limit, status: { oneOf: words('pending succeeded failed skipped') }, type: {} },
  },
  'post /v1/webhooks/endpoints/{endpoint_id}/recover': { ...webhookWrite, takes: { since: {}, until: {} } },
  'get /v1/webhooks/events': listOf('event', 'webhooks:read'),
  'get /v1/webhooks/events/{event_id}': {
    ...read('event', 'webhooks:read'),
    fields: (resources['delivery'] ?? []).map((field) => `deliveries.${field}`),
  },
  'post /v1/webhooks/events/{event_id}/resend': { ...webhookWrite, takes: { endpoint_id: {} } },
  'post /api/v1/auth/login/init': login('loginToken'),
  'post /api/v1/auth/login': login('challenge', {
    email: required,
    password: { required: true, minLength: 8 },
    login_token: required,
  }),
  'post /api/v1/auth/login/2fa/verify': login('loggedIn', {
    challenge_id: required,
    code: { required: true, minLength: 4, maxLength: 32 },
    code_type: { required: true, oneOf: words('primary backup') },
  }),
  'post /api/v1/auth/login/2fa/resend': {
    status: 200,
    auth: 'none',
    fields: words('challenge_id method expires_at'),
    takes: { challenge_id: required },
  },
  'post /api/v1/auth/refresh': login('tokens', { refresh_token: required }),
  'post /api/v1/auth/logout': {
    status: 200,
    auth: 'user',
    fields: words('success message'),
    takes: { refresh_token: {}, logout_all_devices: {} },
  },
  'post /api/v1/auth/api-keys': {
    status: 201,
    auth: 'user',
    one: 'createdKey',
    takes: {
      key_name: { required: true, minLength: 1, maxLength: 255 },
      expires_in_days: {},
      idempotency_key: { maxLength: 255 },
      env: { oneOf: words('live test') },
      scopes: {},
    },
  },
  'get /api/v1/auth/api-keys': { status: 200, auth: 'user', under: ['keys', 'listedKey'] },
  'post /api/v1/auth/api-keys/{api_key_id}/revoke': { status: 200, auth: 'user', fields: words('status api_key_id') },
  'patch /api/v1/auth/api-keys/{api_key_id}': { status: 200, auth: 'user', takes: { scopes: {} } },
}

/** The operations of merchants, as both documents name them. */
export const routes: Record<string, Route> = {
  ...accessRoutes,
  ...billingRoutes,
  ...platformRoutes,
  'put /v1/accounts/checkout/settings': write(200, 'checkoutSettings', 'accounts:write'),
  'get /v1/accounts/checkout/settings': { ...read('checkoutSettings', 'accounts:read') },
  'post /v1/checkout-sessions': write(201, 'checkout', 'payments:write', {
    success_url: {},
    reference: { maxLength: 128 },
    expires_in_minutes: { min: 1, max: 1440 },
  }),
  'get /v1/checkout-sessions': listOf('checkout', 'payments:read'),
  'get /v1/checkout-sessions/{checkout_id}': read('checkout', 'payments:read'),
  'post /v1/checkout-sessions/{checkout_id}/cancel': write(200, 'checkout', 'payments:write'),
  'get /v1/checkout-sessions/{checkout_id}/public': { status: 200, auth: 'clientSecret' },
  'post /v1/checkout-sessions/{checkout_id}/pay': { status: 200, auth: 'clientSecret', fields: ['next_action'] },
  'post /v1/checkout-sessions/{checkout_id}/confirm': { status: 200, auth: 'clientSecret', takes: { code: {} } },
  'get /v1/payments': listOf('payment', 'payments:read'),
  'get /v1/payments/{payment_id}': read('payment', 'payments:read'),
  'get /v1/customers': listOf('listedCustomer', 'customers:read'),
  'get /v1/customers/{customer_id}': read('customer', 'customers:read'),
  'post /v1/customers': write(201, 'customer', 'customers:write', { email: { required: true } }),
  'patch /v1/customers/{customer_id}': write(200, 'customer', 'customers:write'),
  'post /v1/products': write(201, 'product', 'products:write', { name: { required: true } }),
  'get /v1/products': listOf('product', 'products:read'),
  'get /v1/products/{product_id}': read('product', 'products:read'),
  'patch /v1/products/{product_id}': write(200, 'product', 'products:write'),
  'delete /v1/products/{product_id}': { status: 200, fields: ['product_id', 'deleted'], scope: 'products:write' },
  'post /v1/product-groups': write(201, 'productGroup', 'products:write', { name: { required: true } }),
  'get /v1/product-groups': listOf('productGroup', 'products:read'),
  'get /v1/product-groups/{product_group_id}': read('productGroup', 'products:read'),
  'patch /v1/product-groups/{product_group_id}': write(200, 'productGroup', 'products:write'),
  'delete /v1/product-groups/{product_group_id}': {
    status: 200,
    fields: ['product_group_id', 'deleted'],
    scope: 'products:write',
  },
  'post /v1/utilities/uploads': write(201, 'upload', 'products:write'),
  'delete /v1/utilities/uploads/{upload_id}': {
    status: 200,
    fields: ['upload_id', 'deleted'],
    scope: 'products:write',
  },
  'get /v1/reference/product-categories': { status: 200, fields: ['categories', 'sections'] },
  'get /v1/payment-methods': { status: 200, under: ['payment_methods', 'paymentMethod'] },
  'post /v1/payment-links': write(201, 'paymentLink', 'payments:write'),
  'get /v1/payment-links': listOf('paymentLink', 'payments:read'),
  'get /v1/payment-links/{payment_link_id}': read('paymentLink', 'payments:read'),
  'patch /v1/payment-links/{payment_link_id}': write(200, 'paymentLink', 'payments:write'),
  'post /api/v1/payments/refunds': write(201, 'refund', 'refunds:write', {
    charge_id: { required: true },
    reference: { required: true, maxLength: 128 },
    reason: { maxLength: 500 },
    refund_address: { minLength: 1, maxLength: 255 },
    idempotency_key: { maxLength: 255 },
  }),
  'get /api/v1/payments/refunds/{refund_id}': read('refund', 'refunds:read'),
  'get /api/v1/payments/payins/{charge_id}/refund': read('refund', 'refunds:read'),
  'get /api/v1/payments/refunds': { status: 200, total: 'refund', scope: 'refunds:read', takes: limit },
  'post /v1/virtual-accounts': write(201, 'virtualAccount', 'virtual_accounts:write'),
  'get /v1/virtual-accounts': listOf('virtualAccount', 'virtual_accounts:read'),
  'get /v1/balances': { status: 200, page: 'balance', scope: 'balances:read' },
  'get /v1/balances/transactions': listOf('balanceTransaction', 'balances:read'),
  'post /v1/payouts/destinations': write(201, 'destination', 'payouts:write', destinationBounds),
  'get /v1/payouts/destinations': listOf('destination', 'payouts:read'),
  'get /v1/payouts/destinations/{destination_id}': read('destination', 'payouts:read'),
  'patch /v1/payouts/destinations/{destination_id}': write(200, 'destination', 'payouts:write', destinationBounds),
  'delete /v1/payouts/destinations/{destination_id}': {
    status: 200,
    fields: ['id', 'deleted'],
    scope: 'payouts:write',
  },
  'post /v1/payouts/destinations/resolve': {
    status: 200,
    fields: ['account_name'],
    scope: 'payouts:write',
    takes: {
      currency: { required: true },
      bank_code: { required: true },
      account_number: { required: true },
    },
  },
  'get /v1/reference/banks': { status: 200 },
  'post /v1/payouts': write(201, 'payout', 'payouts:write', {
    destination: { required: true },
    reference: { maxLength: 128 },
  }),
  'get /v1/payouts': { status: 200, total: 'payout', scope: 'payouts:read', takes: limit },
  'get /v1/payouts/{payout_id}': read('payout', 'payouts:read'),
  'post /v1/payouts/estimate': { status: 200, fields: ['fee', 'total_debited'], scope: 'payouts:write' },
  'post /v1/balance_settings': { status: 200, fields: ['schedule_by_currency'], scope: 'payouts:write' },
  'get /v1/balance_settings': { status: 200, fields: ['schedule_by_currency'], scope: 'payouts:read' },
  'post /v1/conversions/quotes': write(201, 'quote', 'conversions:write', {
    from_currency: { required: true },
    to_currency: { required: true },
  }),
  'post /v1/conversions': write(201, 'conversion', 'conversions:write', { quote_id: { required: true } }),
  'get /v1/conversions': listOf('conversion', 'conversions:read'),
  'get /v1/conversions/{conversion_id}': read('conversion', 'conversions:read'),
  'get /api/v1/admin/reviews': { status: 200 },
  'post /api/v1/admin/reviews/{review_id}/claim': { status: 200 },
  'post /api/v1/admin/payout-destinations/{destination_id}/review': { status: 200 },
  'post /api/v1/admin/payouts/{payout_id}/review': { status: 200 },
  'post /api/v1/admin/payouts/{payout_id}/retry': { status: 200, takes: { reason: { required: true } } },
  'post /api/v1/admin/payouts/{payout_id}/mark-settled': {
    status: 200,
    takes: {
      reason: { required: true },
      proof_ref: { required: true },
    },
  },
  'post /api/v1/admin/payouts/{payout_id}/mark-failed': { status: 200, takes: { reason: { required: true } } },
  'get /api/v1/admin/stuck': { status: 200 },
}

/** The codes of both documents with their statuses, as far as they concern money in and out. */
export const codes: Record<string, number> = {
  VALIDATION_ERROR: 400,
  ACCOUNT_NOT_ACTIVATED: 400,
  ACCOUNT_PAYMENT_METHODS_RESTRICTED: 400,
  CHECKOUT_HAS_NO_PAYMENT_METHOD: 400,
  CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD: 400,
  PAYMENT_METHOD_NOT_ALLOWED: 400,
  CUSTOMER_REQUIRED: 400,
  CHARGE_NOT_REFUNDABLE: 400,
  REFUND_EXCEEDS_REMAINING: 400,
  REFUND_ADDRESS_REQUIRED: 400,
  SIMULATION_NOT_ALLOWED: 400,
  INSUFFICIENT_BALANCE: 400,
  DESTINATION_NOT_USABLE: 400,
  QUOTE_REQUIRED: 400,
  QUOTE_EXPIRED: 400,
  CURRENCY_NOT_SUPPORTED: 400,
  AMOUNT_BELOW_MINIMUM: 400,
  INVALID_LOGIN_TOKEN: 400,
  ACTIVE_KEY_EXISTS: 400,
  UNAUTHORIZED: 401,
  INVALID_CREDENTIALS: 401,
  INVALID_CODE: 401,
  FORBIDDEN: 403,
  ACCOUNT_LOCKED: 403,
  EMAIL_NOT_VERIFIED: 403,
  CAPABILITY_NOT_ACTIVE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  QUOTE_ALREADY_USED: 409,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  BAD_GATEWAY: 502,
  SERVICE_UNAVAILABLE: 503,
}
