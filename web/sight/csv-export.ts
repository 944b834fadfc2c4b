import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'koa'
import { type Environment, environments } from '../../domain/access/scope.ts'
import type { Answer } from '../api.ts'
import { csvLine, csvMark } from '../csv.ts'
import { pageOf, type Site } from '../site.ts'
import { showUnlisted } from './dashboard-lists.ts'
import { wordIn } from './list-filter.ts'

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
  /** The rows where the address asks for one by its id, which is no filter of the list; null where it does not. */
  findIn?: (ctx: Context) => Promise<Answer<Row[]> | null>
  idOf: (row: Row) => string
  /** How to get the rows of this address if they are too many for a file, such as `choose a shorter time`. */
  fewerIn: (ctx: Context) => string
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
  const { folder, file, rows, collection, queryIn, columns, fewerIn } = list

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
    const isWritten = (row: Row) => written.has(list.idOf(row))
    for (let page = first, count = 0; ;) {
      // Where rows are counted, a row may come twice.
      const fresh = page.items.filter((row) => !isWritten(row))
      for (const row of fresh) written.add(list.idOf(row))
      yield fresh.map((row) => csvLine(columns.map(([, cellOf]) => cellOf(row)))).join('')
      count += page.items.length
      const next = placeAfter(page, count)
      if (next === null) return
      if (next[0] === 'cursor') page = await readOn(ctx, query, next)
      else [page, count] = await readFrom(ctx, query, { count, isWritten })
    }
  }

  /**
   * Reads on in a list whose rows are counted, and returns how many rows are before the page. Rows that no longer match
   * have moved the others up, and new ones have moved them down. So a page begins with a row that was written already;
   * where it does not, an earlier page is read.
   */
  async function readFrom(
    ctx: Context,
    query: CsvQuery,
    { count, isWritten }: { count: number; isWritten: (row: Row) => boolean },
  ): Promise<[page: Page<Row>, before: number]> {
    for (let before = count - 1; ; before = Math.max(0, before - rowsAtATime)) {
      const page = await readOn(ctx, query, ['offset', String(before)])
      const [row] = page.items
      if (before === 0 || (row && isWritten(row))) return [page, before]
    }
  }

  /** The first page of what this address asks for, and the filters with which the others are read. */
  async function readFirst(ctx: Context): Promise<Answer<{ query: CsvQuery; first: Page<Row> }>> {
    const found = await list.findIn?.(ctx)
    if (found) return found.ok ? { ok: true, body: { query: {}, first: wholeOf(found.body) } } : found
    const query = await queryIn(ctx)
    if (!query.ok) return query
    if (query.body === null) return { ok: true, body: { query: {}, first: wholeOf([]) } }
    const first = await readPage(ctx, query.body, null)
    return first.ok ? { ok: true, body: { query: query.body, first: first.body } } : first
  }

  /** Says that the list was opened with other data than the person sees now. */
  function showOther(ctx: Context, environment: Environment): void {
    const [before, present] = environment === 'live' ? ['test', 'live'] : ['live', 'test']
    const problem =
      `You opened this list in ${before} mode, and you are in ${present} mode now. ` +
      `Switch to ${before} mode and export again, or open the list again to export what it has in ${present} mode.`
    show(ctx, pageOf('site/refused', 'Nothing was exported', { problem, isSignedIn: true }, 409))
  }

  /**
   * The link to a file says which data its page has shown. Somebody may have chosen others since, in another tab, and
   * would take the file for what they saw.
   */
  async function sendFile(ctx: Context): Promise<void> {
    const person = site.personOf(ctx)
    if (person === null) return site.showRefused(ctx, site.whyUnknown(ctx))
    const { environment } = person
    const shown = wordIn(ctx, 'environment', environments)
    if (shown !== '' && shown !== environment) return showOther(ctx, environment)
    const answer = await readFirst(ctx)
    if (!answer.ok) return showUnlisted(site, ctx, answer.refused, folder)
    const { query, first } = answer.body
    const total = first.pagination?.total ?? first.total ?? 0
    if (total > rowsMax) {
      const problem = `These are ${total} ${rows}. A file has at most ${rowsMax}: ${fewerIn(ctx)}.`
      return show(ctx, pageOf('site/refused', `Too many ${rows}`, { problem, isSignedIn: true }, 422))
    }
    const day = new Date(await now()).toISOString().slice(0, 10)
    const name = `${file}${environment === 'live' ? '' : '-test'}-${day}.csv`
    ctx.set({ 'Content-Disposition': `attachment; filename="${name}"`, 'Cache-Control': 'no-store' })
    ctx.type = 'text/csv; charset=utf-8'
    const lines = Readable.from(linesOf(ctx, query, first))
    lines.on('error', () => ctx.res.destroy()) // so that the browser says that the download has failed
    ctx.body = lines
  }

  read(`${folder.slice(home.length)}.csv`, sendFile, { isLanding: false })
}

/** The one page of a list that has no other rows. */
const wholeOf = <Row>(items: Row[]): Page<Row> => ({ items, total: items.length })

/** Where the next page begins once so many rows were read; null after the last page. */
function placeAfter<Row>({ items, total, pagination }: Page<Row>, count: number): Place | null {
  if (pagination) return pagination.next_cursor === null ? null : ['cursor', pagination.next_cursor]
  return items.length === 0 || count >= total ? null : ['offset', String(count)]
}
