import type { Context } from 'koa'
import type { Time } from '../language.ts'
import { type Site, stepOf } from '../site.ts'
import { type Fact, factsOf } from './dashboard-lists.ts'

/**
 * The question before money moves at a price. Its key makes it one payout or one conversion, however often it is sent.
 * `until` is when the price of the quote expires; without a quote its id is empty.
 */
export type Question = {
  key: string
  quoteId: string
  until: Time | null
  problem: string | null
  status: number
}

/** The page that asks it: its template and title, the link of the menu that it belongs to, its path and its list's. */
type QuestionPage = { template: string; title: string; at: string; path: string; folder: string }

/** Returns what shows the question, with what was typed and what it comes to. */
export const priceQuestion =
  ({ now, show }: Site, { template, title, ...page }: QuestionPage) =>
  async (ctx: Context, typed: Record<string, string>, facts: Fact[], question: Question): Promise<void> => {
    const { key: formKey, quoteId, until, problem, status } = question
    const at = new Date(await now()).toISOString()
    const asked = { now: at, typed, formKey, quoteId, until, facts: factsOf(facts), problem }
    show(ctx, stepOf(template, title, { isSignedIn: true, ...page, ...asked }, status))
  }
