import assert from 'node:assert/strict'
import type { Merchant } from './merchant.ts'
import { sale } from './merchant.ts'

export type VirtualAccount = { virtual_account_id: string; account_number: string; customer_id: string }

/** Makes a customer, by a sale to them. */
export async function addCustomer(merchant: Merchant, customer: Record<string, string>): Promise<string> {
  const { body, status, text } = await merchant.call('POST', '/v1/checkout-sessions', { ...sale, customer })
  assert.equal(status, 201, text)
  return (body as unknown as { customer: { id: string } }).customer.id
}

export const requestAccount = (merchant: Merchant, customer_id: string, more: Record<string, unknown> = {}) =>
  merchant.call('POST', '/v1/virtual-accounts', { customer_id, currency: 'NGN', account_name: 'Ada Buyer', ...more })

/** Makes a virtual account of a new customer, with the sandbox's bank. */
export async function openAccount(merchant: Merchant, email: string): Promise<VirtualAccount> {
  const { body, status, text } = await requestAccount(
    merchant,
    await addCustomer(merchant, { email, name: 'Ada Buyer' }),
  )
  assert.equal(status, 201, text)
  return body as unknown as VirtualAccount
}

export const depositInto = (
  merchant: Merchant,
  { virtual_account_id }: VirtualAccount,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
) => merchant.call('POST', `/v1/test-helpers/virtual-accounts/${virtual_account_id}/deposits`, body, headers)
