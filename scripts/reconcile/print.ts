import type { Comparison, Difference, MoneyKind, StatementLine, Total } from '../../domain/reconciliation.ts'

const reasons: Record<Difference['reason'], string> = {
  not_here: 'the provider has it, and we do not',
  not_there: 'we have it, and the provider does not',
  amount: 'the amounts differ',
  currency: 'the currencies differ',
  status: 'the statuses differ',
  twice: 'the provider has done it more than once',
  ledger: 'our ledger has posted something else than our row says',
}

const plurals: Record<MoneyKind, string> = {
  payment: 'payments',
  refund: 'refunds',
  payout: 'payouts',
  dispute: 'disputes',
}

const timeOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

const shownLine = ({ theirId, amount, currency, status, word, at }: StatementLine): string =>
  `${amount ?? 'unknown amount in'} ${currency}, ${status} (${word}), ${timeOf(at)}, ${theirId}`

function linesOf({ reason, kind, ourId, paymentId, line, own }: Difference): string[] {
  const about = paymentId !== null && paymentId !== ourId ? ` of ${paymentId}` : ''
  const posted = own?.posted == null ? '' : `, ledger ${own.posted}`
  const ours = own === null ? 'nothing' : `${own.amount} ${own.currency}, ${own.status}${posted}`
  return [
    `✖ ${kind} ${ourId ?? line?.theirId ?? ''}${about}: ${reasons[reason]}`,
    `    theirs: ${line === null ? 'nothing' : shownLine(line)}`,
    `    ours:   ${ours}`,
  ]
}

const totalLine = ({ kind, currency, theirs, ours }: Total): string =>
  `  ${plurals[kind]} in ${currency}: theirs ${theirs.count}, ${theirs.amount}; ours ${ours.count}, ${ours.amount}`

/** The comparison for people: every difference with both sides, what is not ours, and the sums. */
export function printed({ differences, foreign, foreignCount, totals }: Comparison): string[] {
  const listed = foreign.map((line) => `  ${line.kind}: ${shownLine(line)}`)
  const more = foreignCount > foreign.length ? [`  and ${foreignCount - foreign.length} more`] : []
  return [
    ...differences.flatMap(linesOf),
    ...(foreignCount > 0 ? ['Not ours, as others may use the same account:', ...listed, ...more] : []),
    ...(totals.length > 0 ? ['Settled on this day:', ...totals.map(totalLine)] : ['Nothing of ours has settled.']),
    differences.length === 0 ? 'No difference.' : `Differences: ${differences.length}`,
  ]
}

/** The comparison for programs. */
export function asJson(provider: string, day: string, { differences, foreign, foreignCount, totals }: Comparison) {
  const theirs = (line: StatementLine) => ({
    id: line.theirId,
    amount: line.amount,
    currency: line.currency,
    status: line.status,
    provider_status: line.word,
    at: timeOf(line.at),
  })
  return {
    provider,
    day,
    differences: differences.map(({ reason, kind, ourId, paymentId, line, own }) => ({
      reason,
      kind,
      id: ourId,
      payment_id: paymentId,
      theirs: line && theirs(line),
      ours: own && { amount: own.amount, currency: own.currency, status: own.status, posted: own.posted },
    })),
    not_ours: { count: foreignCount, first: foreign.map((line) => ({ kind: line.kind, ...theirs(line) })) },
    totals,
  }
}
