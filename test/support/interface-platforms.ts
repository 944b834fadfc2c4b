/** The part of the interface's tables for platforms, an account's own settings and the sandbox (decisions 9 to 11). */

import type { EventType } from '../../domain/webhook/event.ts'
import { listOf, momentsOf, read, type Route, words, write } from './interface-form.ts'

const capabilities = words(`card_payments bank_transfer_payments mobile_money_payments crypto_payments payouts
  virtual_accounts transfers`)
const requirements = words(`currently_due eventually_due past_due pending_verification errors current_deadline
  disabled_reason`)
const account = [
  ...words(`account_id type status country business_type email business_profile business_profile.product_category
    company persons capabilities requirements charges_enabled payouts_enabled default_currency metadata ${momentsOf}`),
  ...capabilities.map((name) => `capabilities.${name}`),
  ...requirements.map((name) => `requirements.${name}`),
]

export const platformResources = {
  account,
  ownAccount: words(`late_payment_policy refund_fee_bearer display_name support_email logo accent_color timezone
    dunning statement_text`),
  companyDocument: words('id document_type file_name uploaded_at'),
  // Both documents leave the fields of these four open: they are those of docs/contract.
  transfer: words(`transfer_id status source destination amount currency payment_id reference reversed_amount
    available_at metadata ${momentsOf}`),
  transferReversal: words('transfer_reversal_id transfer_id amount currency metadata created_at'),
  platformFee: words(`platform_fee_id status account_id amount currency payment_id refunded_amount available_at
    ${momentsOf}`),
  clock: words('clock_id name frozen_time status created_at'),
}

export const platformEventFields: Partial<Record<EventType, string[]>> = {
  'account.updated': account,
  'capability.updated': words('account_id capability status'),
}

const capabilityStatuses = words('inactive pending active restricted')

export const platformValues = {
  'account.type': words('platform connected'),
  'account.status': words('onboarding under_review active restricted rejected'),
  'ownAccount.late_payment_policy': words('accept refund'),
  'ownAccount.refund_fee_bearer': words('ORG CUSTOMER'),
  ...Object.fromEntries(capabilities.map((name) => [`account.capabilities.${name}`, capabilityStatuses])),
}

const required = { required: true } as const
const helper = { status: 200, scope: 'test_helpers:write' }
const accountWrite = (status: number): Route => write(status, 'account', 'accounts:write')

export const platformRoutes: Record<string, Route> = {
  'post /v1/accounts': accountWrite(201),
  'get /v1/accounts': listOf('account', 'accounts:read'),
  'get /v1/accounts/{account_id}': read('account', 'accounts:read'),
  'patch /v1/accounts/{account_id}': accountWrite(200),
  'post /v1/accounts/{account_id}/documents': write(201, 'companyDocument', 'accounts:write', {
    file: required,
    document: required,
  }),
  'get /v1/account': read('ownAccount', 'accounts:read'),
  'patch /v1/account': write(200, 'ownAccount', 'accounts:write', {
    late_payment_policy: { oneOf: words('accept refund') },
    refund_fee_bearer: { oneOf: words('ORG CUSTOMER') },
    display_name: {},
    support_email: {},
    logo: {},
    accent_color: {},
    timezone: {},
    dunning: {},
    statement_text: {},
  }),
  'post /v1/payments/{payment_id}/accept': write(200, 'payment', 'payments:write'),
  'post /v1/transfers': write(201, 'transfer', 'transfers:write'),
  'get /v1/transfers': listOf('transfer', 'transfers:read'),
  'get /v1/transfers/{transfer_id}': read('transfer', 'transfers:read'),
  'post /v1/transfers/{transfer_id}/reversals': write(201, 'transferReversal', 'transfers:write'),
  'get /v1/platform-fees': listOf('platformFee', 'platform_fees:read'),
  'get /v1/platform-fees/{platform_fee_id}': read('platformFee', 'platform_fees:read'),
  'post /v1/platform-fees/{platform_fee_id}/refund': write(200, 'platformFee', 'platform_fees:write'),
  'post /v1/test-helpers/checkout-sessions/{checkout_id}/pay': { ...helper, takes: { outcome: {}, amount: {} } },
  'post /v1/test-helpers/virtual-accounts/{virtual_account_id}/deposits': helper,
  'post /v1/test-helpers/payments/{payment_id}/deposit': helper,
  'post /v1/test-helpers/payments/{payment_id}/dispute': write(201, 'dispute', 'test_helpers:write'),
  'post /v1/test-helpers/payouts/{payout_id}/settle': helper,
  'post /v1/test-helpers/events/trigger': write(201, 'event', 'test_helpers:write', { type: required }),
  'get /v1/test-helpers/emails': { ...helper, fields: words('items pagination') },
  'post /v1/test-helpers/clocks': write(201, 'clock', 'test_helpers:write'),
  'post /v1/test-helpers/clocks/{clock_id}/attach': write(200, 'clock', 'test_helpers:write'),
  'post /v1/test-helpers/clocks/{clock_id}/advance': write(200, 'clock', 'test_helpers:write'),
}
