import type { Static } from 'typebox'
import type { AgendaResource, WaitingOn } from '../domain/sight/agenda.ts'
import { systemClock } from '../engine/clock.ts'
import type { AgendaItem } from '../schemas/sight/agenda.ts'
import type { Api } from './api.ts'
import { fromNow, type Output, shortTime } from './output.ts'
import { type Column, tableOf } from './table.ts'

export type AgendaOptions = { resource?: AgendaResource; waitingOn?: WaitingOn; before?: string; limit: number }
type Item = Static<typeof AgendaItem>
type Page = { items: Item[]; pagination: { next_cursor: string | null; has_more: boolean } }

const pageMax = 100

/** Lists what the account waits for, the next moment first. */
export async function showAgenda(api: Api, output: Output, options: AgendaOptions): Promise<void> {
  const agenda = await readAgenda(api, options)
  const at = await systemClock.now()
  output.show(agenda, ({ items, pagination }) => {
    if (items.length === 0) return [nothingAwaited(options)]
    const more = pagination.has_more ? [`These are the first ${items.length}. There are more.`] : []
    return [...tableOf(items, columnsAt(at)), ...more]
  })
}

/** The first items, of as many pages as they need, in the form of one page. */
async function readAgenda({ call }: Api, { limit, waitingOn, ...filter }: AgendaOptions): Promise<Page> {
  const items: Item[] = []
  for (let cursor: string | undefined; ;) {
    const query = { ...filter, waiting_on: waitingOn, limit: Math.min(limit - items.length, pageMax), cursor }
    const page = await call<Page>({ method: 'GET', path: '/v1/agenda', query })
    items.push(...page.items)
    const { next_cursor: next } = page.pagination
    if (next === null || items.length >= limit) return { ...page, items }
    cursor = next
  }
}

const nothingAwaited = ({ resource, waitingOn, before }: AgendaOptions): string =>
  resource || waitingOn || before ? 'Nothing is awaited that matches these options.' : 'Nothing is awaited.'

const columnsAt = (now: number): readonly Column<Item>[] => [
  { heading: 'wakes at (UTC)', textOf: ({ wakes_at }) => wakes_at && shortTime(wakes_at) },
  { heading: 'from now', textOf: ({ wakes_at }) => wakes_at && fromNow(wakes_at, now) },
  { heading: 'resource', textOf: ({ resource }) => resource },
  { heading: 'id', textOf: ({ resource_id }) => resource_id },
  { heading: 'waiting on', textOf: ({ waiting_on }) => waiting_on },
  { heading: 'reason', textOf: ({ reason }) => reason },
]
