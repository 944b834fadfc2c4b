import assert from 'node:assert/strict'
import { type Api, pageOf } from './api.ts'
import type { Merchant } from './merchant.ts'

/** A platform and one of its connected accounts, each with a key of its own. */
export async function addPlatform(api: Api) {
  const platform = await api.addMerchant()
  const seller = await addSeller(api, platform.accountId)
  return { platform, seller }
}

/** One more connected account of a platform. */
export const addSeller = async (api: Api, platformId: string) =>
  api.addKey({ accountId: await api.addConnected(platformId) })

/** The balance in a currency: available, pending, reserved and owed. */
export async function balanceOf(merchant: Merchant, currency = 'USD') {
  const { items } = pageOf(await merchant.call('GET', '/v1/balances'))
  const found = items.find((item) => item['currency'] === currency)
  return found ? ['available', 'pending', 'reserved', 'owed'].map((name) => String(found[name])) : null
}

/** What changed the balance, the oldest first: type, amount and balance afterwards. */
export async function changesOf(merchant: Merchant) {
  const { items } = pageOf(await merchant.call('GET', '/v1/balances/transactions'))
  return items.toReversed().map(({ type, amount, balance_after }) => [type, amount, balance_after])
}

/** The only transfer or platform fee that the merchant has made or earned. */
export async function onlyOne(merchant: Merchant, path: '/v1/transfers' | '/v1/platform-fees') {
  const { items } = pageOf(await merchant.call('GET', path))
  assert.equal(items.length, 1)
  const id = String(items[0]?.[path === '/v1/transfers' ? 'transfer_id' : 'platform_fee_id'])
  return { id, row: items[0] as Record<string, unknown> }
}
