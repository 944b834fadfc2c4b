import type { Context } from 'koa'
import type { Answer } from '../api.ts'
import type { Site } from '../site.ts'
import type { Listed } from './dashboard-lists.ts'
import { productWords, type ShownProduct } from './product-words.ts'

/** A line of a list from which one is chosen. */
export type Choice = { code: string; name: string }
/** What is offered; `isCut` where there are more than the newest 100. */
export type Choices = { choices: Choice[]; isCut: boolean }

/** The newest products that can be sold, and those that are chosen already. It is one call. */
export async function readProductChoices(site: Site, ctx: Context, chosen: string[]): Promise<Answer<Choices>> {
  const listed = await site.sessions.call<Listed<ShownProduct>>(ctx, 'GET', '/v1/products?limit=100')
  if (!listed.ok) return listed
  const { items, pagination } = listed.body
  const offered = items
    .filter(({ active, product_id: id }) => active || chosen.includes(id))
    .map((product) => ({ code: product.product_id, name: productWords(product) }))
  return { ok: true, body: { choices: withChosen(offered, chosen), isCut: pagination.next_cursor !== null } }
}

/** These choices, and those that are chosen but not among them, which are named by their ids. */
export function withChosen(choices: Choice[], chosen: string[]): Choice[] {
  const missing = new Set(chosen.filter((id) => id !== '' && !choices.some(({ code }) => code === id)))
  return [...choices, ...[...missing].map((code) => ({ code, name: code }))]
}
