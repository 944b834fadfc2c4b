import type { Context } from 'koa'
import { dayMs, isDay } from '../../domain/duration.ts'

// The filters of a list, as its address has them. What is no filter is read as empty, and is not asked for.

const searchMax = 320

type Asked = Pick<Context, 'query'>

/** A filter that is a text; empty where there is none. */
export function textIn({ query }: Asked, name: string): string {
  const value = query[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** What somebody searches for, in `search`. */
export const searchIn = (ctx: Asked): string => textIn(ctx, 'search').slice(0, searchMax)

/** A filter that is one of these words; empty where it is none of them. */
export function wordIn(ctx: Asked, name: string, words: readonly string[]): string {
  const value = textIn(ctx, name)
  return words.includes(value) ? value : ''
}

/** A filter that is a day such as `2026-11-25`, as browsers send it. */
export function dayIn(ctx: Asked, name: string): string {
  const value = textIn(ctx, name)
  return isDay(value) ? value : ''
}

/** The API's filters for two days, both included, in UTC; the API does not include its own bounds. */
export const createdIn = ({ from, to }: { from: string; to: string }) => ({
  created_after: from && new Date(Date.parse(from) - 1).toISOString(),
  created_before: to && new Date(Date.parse(to) + dayMs).toISOString(),
})
