import assert from 'node:assert/strict'
import { fromAnywhere } from './api.ts'
import type { Merchant, Reply } from './merchant.ts'

export type Json = Record<string, unknown>
export type Link = Json & Record<'payment_link_id' | 'url', string>
export type Opened = Record<'checkout_id' | 'client_secret' | 'checkout_url' | 'status' | 'expires_at', string>

/** A fixed price. */
export const fixedPrice = { price_type: 'fixed', amount: '25.00', currency: 'USD' }
/** A price that the buyer chooses. */
export const openPrice = { price_type: 'custom', currency: 'USD', minimum_amount: '3.00', maximum_amount: '50.00' }
/** The smallest link. */
export const newLink = { name: 'A poster', price: fixedPrice, success_url: 'https://example.com/thanks' }

export async function createLink(merchant: Merchant, over: Json = {}): Promise<Link> {
  const { status, body, text } = await merchant.call('POST', '/v1/payment-links', { ...newLink, ...over })
  assert.equal(status, 201, text)
  return body as unknown as Link
}

export const slugOf = ({ url }: Link): string => url.split('/').at(-1) ?? ''

/** Opens a link without a credential, from a random address. */
export const open = (merchant: Merchant, link: Link, body: Json = {}): Promise<Reply> =>
  merchant.call('POST', `/v1/payment-links/${slugOf(link)}/sessions`, body, { authorization: '', ...fromAnywhere() })

export async function opened(merchant: Merchant, link: Link, body: Json = {}): Promise<Opened> {
  const { status, body: session, text } = await open(merchant, link, body)
  assert.equal(status, 201, text)
  return session as unknown as Opened
}

/** What a merchant does with links; `sell` takes a body without a price, `group` makes a group of products. */
export function withLinks(merchant: Merchant) {
  const path = '/v1/payment-links'
  return {
    sell: ({ price: _price, ...rest }: Json) => merchant.call('POST', path, rest),
    patch: ({ payment_link_id }: Link, body: Json) => merchant.call('PATCH', `${path}/${payment_link_id}`, body),
    read: async ({ payment_link_id }: Link) => (await merchant.call('GET', `${path}/${payment_link_id}`)).body as Json,
    /** The public view of a link. */
    seen: (link: Link) =>
      merchant.call('GET', `${path}/${slugOf(link)}/public`, undefined, { authorization: '', ...fromAnywhere() }),
    async group(products: string[]): Promise<string> {
      const { body } = await merchant.call('POST', '/v1/product-groups', { name: 'Sizes', products })
      return String(body['product_group_id'])
    },
    sessionOf: async (link: Link, body: Json = {}) =>
      merchant.getCheckout((await opened(merchant, link, body)).checkout_id) as Promise<Json>,
  }
}
