import type { MoneyKind, StatementLine } from '../../domain/reconciliation.ts'
import { claimOf, fromMinor } from './amount.ts'
import { PaystackUnclear } from './api.ts'
import { paymentOf } from './reference.ts'
import type { ListedDispute, ListedRefund, ListedTransaction, ListedTransfer } from './shapes.ts'

type Status = StatementLine['status']

/** How Paystack's words of each list are read; all others are open, as the adapter asks on until they are known. */
const statuses: Record<MoneyKind, Record<string, Status>> = {
  // A transaction that is `reversed` was paid, and then refunded or taken back.
  payment: { success: 'settled', reversed: 'returned', failed: 'undone', abandoned: 'undone', timeout: 'undone' },
  refund: { processed: 'settled', failed: 'undone' },
  payout: {
    success: 'settled',
    reversed: 'undone',
    failed: 'undone',
    abandoned: 'undone',
    blocked: 'undone',
    rejected: 'undone',
  },
  dispute: { archived: 'undone' },
}

const statusOf = (kind: MoneyKind, word: string): Status =>
  Object.hasOwn(statuses[kind], word) ? (statuses[kind][word] ?? 'open') : 'open'

/** A word of Paystack's lists; no other text of its answers is passed on. */
const wordOf = (status: string): string => (/^[a-z_-]{1,40}$/.test(status) ? status : 'unknown')

function timeOf(...times: (string | null | undefined)[]): number {
  const at = Date.parse(times.find((time) => time != null) ?? '')
  if (Number.isNaN(at)) throw new PaystackUnclear('Paystack names no time of something in its lists')
  return at
}

const ourIdIn = (text: string | null | undefined, prefix: 'ref' | 'pay'): string | null => {
  const id = text?.trim() ?? ''
  return new RegExp(`^${prefix}_[0-9a-z]{34}$`).test(id) ? id : null
}

export function transactionLine(transaction: ListedTransaction): StatementLine {
  const { id, reference, channel, status: word, amount, currency, paid_at: paidAt, created_at, createdAt } = transaction
  const status = statusOf('payment', word)
  const isPaid = status === 'settled' || status === 'returned'
  return {
    kind: 'payment',
    theirId: id,
    ourId: paymentOf(reference),
    reference,
    paymentTheirId: id,
    isDeposit: channel === 'dedicated_nuban',
    status,
    word: wordOf(word),
    amount: fromMinor(amount),
    currency,
    at: timeOf(...(isPaid ? [paidAt] : []), created_at, createdAt),
  }
}

export function refundLine(refund: ListedRefund): StatementLine {
  const { id, status: word, amount, currency, merchant_note: note, transaction, created_at, createdAt } = refund
  return {
    kind: 'refund',
    theirId: id,
    ourId: ourIdIn(note, 'ref'),
    reference: null,
    paymentTheirId: typeof transaction === 'string' ? transaction : (transaction?.id ?? null),
    status: statusOf('refund', word),
    word: wordOf(word),
    amount: fromMinor(amount),
    currency,
    at: timeOf(created_at, createdAt),
  }
}

export function transferLine(transfer: ListedTransfer): StatementLine {
  const { id, reference, status: word, amount, currency, created_at, createdAt } = transfer
  return {
    kind: 'payout',
    theirId: id,
    ourId: ourIdIn(reference, 'pay'),
    reference: null,
    paymentTheirId: null,
    status: statusOf('payout', word),
    word: wordOf(word),
    amount: fromMinor(amount),
    currency,
    at: timeOf(createdAt, created_at),
  }
}

/**
 * A dispute. What is resolved against the buyer moves nothing; all other ends take the money. A claim that Paystack
 * does not name has no amount: it may be one of a part.
 */
export function disputeLine(dispute: ListedDispute): StatementLine {
  const { id, status: word, resolution, transaction, currency, created_at, createdAt } = dispute
  const code = currency ?? transaction.currency
  if (code == null) throw new PaystackUnclear('Paystack names no currency of a dispute')
  const isResolved = word === 'resolved'
  const claim = claimOf(dispute)
  return {
    kind: 'dispute',
    theirId: id,
    ourId: null,
    reference: transaction.reference,
    paymentTheirId: transaction.id,
    status: isResolved ? (resolution === 'declined' ? 'undone' : 'settled') : statusOf('dispute', word),
    word: wordOf(isResolved ? (resolution ?? word) : word),
    amount: claim === null ? null : fromMinor(claim),
    currency: code,
    at: timeOf(createdAt, created_at),
  }
}
