import assert from 'node:assert/strict'
import type { Merchant } from './merchant.ts'
import type { Stack } from './stack.ts'

/** Creates a product, of 5.00 USD by default, and returns its id. */
export async function newProduct(merchant: Merchant, over: Record<string, unknown> = {}): Promise<string> {
  const body = { name: 'Thing', price_type: 'fixed', amount: '5.00', currency: 'USD', ...over }
  const { status, body: made, text } = await merchant.call('POST', '/v1/products', body)
  assert.equal(status, 201, text)
  if (over['active'] === false) await merchant.call('PATCH', `/v1/products/${made['product_id']}`, { active: false })
  return String(made['product_id'])
}

/** The data of the one event of a type about a resource. */
export async function dataOf(stack: Stack, type: string, resourceId: string): Promise<Record<string, unknown>> {
  const rows = await stack.sql<{ body: string }>('select body from events where type = ? and resource_id = ?', [
    type,
    resourceId,
  ])
  assert.equal(rows.length, 1)
  return (JSON.parse(rows[0]?.body ?? '{}') as { data: Record<string, unknown> }).data
}
