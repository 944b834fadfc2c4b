import type { Database } from '../../db/core/database.ts'
import { anyAddress } from '../../test/support/any-address.ts'
import type { Caller } from '../load.ts'
import type { BackgroundRead } from './background.ts'
import type { SizedCall } from './calls.ts'
import type { SizedMerchant } from './merchant.ts'
import type { Ran, readStatements } from './plans.ts'

/** A merchant of a database, the API that serves it, and the statements that the database runs. */
export type Side = {
  caller: Caller
  database: Database
  merchant: SizedMerchant
  statements: ReturnType<typeof readStatements>
}

/** What a call has read, of all its statements together. */
export type Read = { rows: number; pages: number; statements: Ran[] }

/** A statement that is run often is planned for any values from its sixth run on: the plan of later runs counts. */
const RUNS = 7

/** A call for which the merchant has nothing, or that is not for it: a connected account has no keys of its own. */
const isMissing = (error: unknown): boolean => error instanceof Error && / answers 40[34]: /.test(error.message)

/** Makes a call, and returns its answer; null where the merchant has no such resource. */
export async function callOnce({ caller, merchant }: Side, call: SizedCall): Promise<string | null> {
  const headers = { ...(await merchant.headersOf(call.who)), 'x-forwarded-for': anyAddress() }
  return caller.call({ path: merchant.pathOf(call), headers }).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })
}

type Page = {
  pagination?: { total?: number; next_cursor?: string | null }
  total?: number
  next_cursor?: string | null
}

/** Finds out where the middle of a list is, for a call of a page from there. */
export async function findMiddle(side: Side, call: SizedCall): Promise<void> {
  const { merchant } = side
  if (!/\{(middle|half)\}/.test(call.path)) return
  const page = async (query: string): Promise<Page> => {
    const path = call.path.replace(/\?.*/, `?${query}`)
    return JSON.parse((await callOnce(side, { ...call, path })) ?? '{}') as Page
  }
  const { pagination, total = pagination?.total ?? 0 } = await page('limit=1')
  merchant.values.set('half', String(total >> 1))
  const place = call.hasOffset ? `limit=1&offset=${Math.max(total >> 1, 0)}` : 'limit=1'
  const at = await page(place)
  merchant.values.set('middle', at.pagination?.next_cursor ?? at.next_cursor ?? '')
}

/** Makes a call several times, and returns what its last run has read. */
export async function readOf(side: Side, call: SizedCall): Promise<Read | null> {
  for (let run = 1; run < RUNS; run++) if ((await callOnce(side, call)) === null) return null
  side.statements.skip()
  await callOnce(side, call)
  return sum(side, isOfTheProcess)
}

/** The same of something that the service does by itself. It is undone. */
export async function readOfBackground(side: Side, { run, isPrepared }: BackgroundRead, at: number): Promise<Read> {
  const em = side.database.orm.em.fork()
  if (!isPrepared) await em.begin()
  try {
    for (let time = 1; time < RUNS; time++) await run(em, at, side)
    side.statements.skip()
    await run(em, at, side)
  } finally {
    if (!isPrepared) await em.rollback()
  }
  return sum(side, isOfAnyProcess)
}

function sum({ statements: log }: Side, isLeftOut: (text: string) => boolean): Read {
  const statements = log.next().filter(({ text }) => !isLeftOut(text))
  const total = (of: (ran: Ran) => number) => statements.reduce((all, ran) => all + of(ran), 0)
  return { rows: total(({ rows }) => rows), pages: total(({ pages }) => pages), statements }
}

/** What every API process does beside what is measured: it writes the log of calls. */
const isOfAnyProcess = (text: string): boolean => /insert into "?request_logs|pg_is_in_recovery/.test(text)

/** It also looks for new events. That is left out of calls, and measured by itself. */
const isOfTheProcess = (text: string): boolean =>
  isOfAnyProcess(text) || /max\(sequence\)|from events where sequence >/.test(text)
