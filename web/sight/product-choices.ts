import type { Context } from 'koa'
import type { Answer } from '../api.ts'
import type { Site } from '../site.ts'
import type { Listed } from './dashboard-lists.ts'
import { productWords, type ShownProduct } from './product-words.ts'

/** A line of a list from which one is chosen. */
export type Choice = { code: string; name: string }
/** What is offered; `isCut` where there are more than the newest 100. */
export type Choices = { choices: Choice[]; isCut: boolean }

/**
 * The newest products that can be sold, and those that are chosen already. Archived ones are read only where a chosen
 * one may be among them.
 */
export async function readProductChoices(site: Site, ctx: Context, chosen: string[]): Promise<Answer<Choices>> {
  const read = (active: boolean): Promise<Answer<Listed<ShownProduct>>> =>
    site.sessions.call(ctx, 'GET', `/v1/products?active=${active}&limit=100`)
  const listed = await read(true)
  if (!listed.ok) return listed
  const { items, pagination } = listed.body
  const isMissing = chosen.some((id) => id !== '' && !items.some(({ product_id: known }) => known === id))
  const archived = isMissing ? await read(false) : null
  if (archived?.ok === false) return archived
  const kept = archived?.body.items.filter(({ product_id: id }) => chosen.includes(id)) ?? []
  const offered = [...items, ...kept].map((product) => ({ code: product.product_id, name: productWords(product) }))
  return { ok: true, body: { choices: withChosen(offered, chosen), isCut: pagination.next_cursor !== null } }
}

/** These choices, and those that are chosen but not among them, which are named by their ids. */
export function withChosen(choices: Choice[], chosen: string[]): Choice[] {
  const missing = new Set(chosen.filter((id) => id !== '' && !choices.some(({ code }) => code === id)))
  return [...choices, ...[...missing].map((code) => ({ code, name: code }))]
}
