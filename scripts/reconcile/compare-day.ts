import type { Database } from '../../db/core/database.ts'
import { findDisputes, type Moved, movedWithin, readOwn, type Wanted } from '../../db/reconciliation.ts'
import { type Comparison, createComparison, type Matched, type StatementLine } from '../../domain/reconciliation.ts'
import type { Identified, Span, Statement } from '../../rails/statement.ts'

/**
 * Compares a provider's statement of a span with our rows and our ledger. First every line of the provider is compared
 * with what we have of it, on whatever day we have it. Then the provider is asked about each movement of our ledger in
 * the span that the statement lacks: it may have it on another day. Only reads.
 */
export async function compareDay(database: Database, statement: Statement, span: Span): Promise<Comparison> {
  const comparison = createComparison()
  for await (const page of statement.pages(span)) {
    if (page.length > 0) comparison.take(await matchedWith(database, await statement.identify(page)))
  }
  for await (const page of movedWithin(database, span)) {
    const known = await statement.knows(page.map(({ orderId }) => orderId))
    const missing = once(page).filter((moved) => known.has(moved.orderId) && !comparison.has(moved))
    const own = await readOwn(database, missing)
    for (const one of own.values()) comparison.takeMissing(one, await statement.find(one))
  }
  return comparison.result()
}

/** Money that left and came back on the same day has two movements in the ledger, and is one thing to ask about. */
const once = (page: readonly Moved[]): Moved[] => [
  ...new Map(page.map((one) => [`${one.kind} ${one.id}`, one])).values(),
]

/** The lines of a page with what our rows say of each. */
async function matchedWith(database: Database, page: readonly Identified[]): Promise<Matched[]> {
  const disputes = await findDisputes(
    database,
    page.flatMap(({ line, paymentId }) =>
      line.kind === 'dispute' && paymentId !== null ? [{ paymentId, networkId: line.theirId }] : [],
    ),
  )
  const ourIdOf = ({ line, ourId, paymentId }: Identified): string | null =>
    line.kind === 'dispute' ? (disputes.get(`${paymentId} ${line.theirId}`) ?? null) : ourId
  const wanted = page.flatMap((one): Wanted[] => {
    const id = ourIdOf(one)
    return id === null ? [] : [{ kind: one.line.kind, id, depositIds: depositIdsOf(one.line) }]
  })
  const own = await readOwn(database, wanted)
  return page.map((one): Matched => {
    const ourId = ourIdOf(one)
    return { ...one, ourId, own: own.get(`${one.line.kind} ${ourId}`) ?? null }
  })
}

/** The names under which money that was sent to an account is posted: the provider's number or its reference. */
const depositIdsOf = ({ kind, theirId, reference }: StatementLine): string[] =>
  kind === 'payment' ? [theirId, ...(reference === null ? [] : [reference])] : []
