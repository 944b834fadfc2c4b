import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'koa'
import type { Answer } from '../api.ts'
import { csvLine, csvMark } from '../csv.ts'
import { pageOf, type Site } from '../site.ts'
import { showUnlisted } from './dashboard-lists.ts'

/** A column: its name, as the API has it, and its cell of a row. */
export type CsvColumn<Row> = readonly [name: string, cellOf: (row: Row) => string | null]

/** What is asked of the API: its filters by name. An empty one is not asked for. */
export type CsvQuery = Record<string, string>

/** A list that people take to a spreadsheet. */
export type CsvExport<Row> = {
  /** The page of the list, such as `/dashboard/payments`. The file is at its address with `.csv`. */
  folder: string
  /** The beginning of the name of the file. */
  file: string
  /** What its rows are, such as `payments`. */
  rows: string
  /** The API's list, such as `/v1/payments`. It has a cursor, or counts its rows as the list of payouts does. */
  collection: string
  /** The filters of this address; null if nothing can match. */
  queryIn: (ctx: Context) => Promise<Answer<CsvQuery | null>> | Answer<CsvQuery | null>
  idOf: (row: Row) => string
  /** How to get fewer rows, such as `choose a shorter time`. */
  fewer: string
  columns: readonly CsvColumn<Row>[]
}

type Counted = { total: number; pagination?: never }
type WithCursor = { total?: never; pagination: { next_cursor: string | null; total: number } }
type Page<Row> = { items: Row[] } & (Counted | WithCursor)
type Place = [name: 'cursor' | 'offset', value: string]

/** A file has so many rows at most: the API is asked for them within the limit of calls that a person has. */
const rowsMax = 5_000
const rowsAtATime = 100
const triesMax = 3

/** `.csv` beside the page of a list: the filtered list as a file for spreadsheets, newest first. */
export function addCsvExport<Row>(site: Site, list: CsvExport<Row>): void {
  const { home, sessions, now, read, show } = site
  const { folder, file, rows, collection, queryIn, columns, fewer } = list

  const readPage = (ctx: Context, query: CsvQuery, place: Place | null): Promise<Answer<Page<Row>>> => {
    const given = Object.entries(query).filter(([, value]) => value !== '')
    const parameters = new URLSearchParams([['limit', String(rowsAtATime)], ...given, ...(place ? [place] : [])])
    return sessions.call<Page<Row>>(ctx, 'GET', `${collection}?${parameters}`, undefined, { refreshes: place === null })
  }

  /** Reads a further page. Too many calls are made later; anything else ends the download. */
  async function readOn(ctx: Context, query: CsvQuery, place: Place): Promise<Page<Row>> {
    for (let tries = 1; ; tries++) {
      const answer = await readPage(ctx, query, place)
      if (answer.ok) return answer.body
      const { status, code, waitSeconds } = answer.refused
      if (status !== 429 || tries === triesMax) throw new Error(`the export ended with ${status} ${code}`)
      await sleep((waitSeconds ?? 60) * 1000)
    }
  }

  async function* linesOf(ctx: Context, query: CsvQuery, first: Page<Row>): AsyncGenerator<string> {
    yield csvMark + csvLine(columns.map(([name]) => name))
    const written = new Set<string>()
    for (let page = first, count = 0; ;) {
      // Where rows are counted, a new one moves the others on, so that a row may come twice.
      const fresh = page.items.filter((row) => !written.has(list.idOf(row)))
      for (const row of fresh) written.add(list.idOf(row))
      yield fresh.map((row) => csvLine(columns.map(([, cellOf]) => cellOf(row)))).join('')
      count += page.items.length
      const next = placeAfter(page, count)
      if (next === null) return
      page = await readOn(ctx, query, next)
    }
  }

  async function sendFile(ctx: Context): Promise<void> {
    const query = await queryIn(ctx)
    if (!query.ok) return showUnlisted(site, ctx, query.refused, folder)
    const first: Answer<Page<Row>> = query.body
      ? await readPage(ctx, query.body, null)
      : { ok: true, body: { items: [], total: 0 } }
    if (!first.ok) return showUnlisted(site, ctx, first.refused, folder)
    const total = first.body.pagination?.total ?? first.body.total ?? 0
    if (total > rowsMax) {
      const problem = `These are ${total} ${rows}. A file has at most ${rowsMax}: ${fewer}.`
      return show(ctx, pageOf('site/refused', `Too many ${rows}`, { problem, isSignedIn: true }, 422))
    }
    const day = new Date(await now()).toISOString().slice(0, 10)
    ctx.set({ 'Content-Disposition': `attachment; filename="${file}-${day}.csv"`, 'Cache-Control': 'no-store' })
    ctx.type = 'text/csv; charset=utf-8'
    const lines = Readable.from(linesOf(ctx, query.body ?? {}, first.body))
    lines.on('error', () => ctx.res.destroy()) // so that the browser says that the download has failed
    ctx.body = lines
  }

  read(`${folder.slice(home.length)}.csv`, sendFile, { isLanding: false })
}

/** Where the next page begins once so many rows were read; null after the last page. */
function placeAfter<Row>({ items, total, pagination }: Page<Row>, count: number): Place | null {
  if (pagination) return pagination.next_cursor === null ? null : ['cursor', pagination.next_cursor]
  return items.length === 0 || count >= total ? null : ['offset', String(count)]
}
