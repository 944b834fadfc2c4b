import { Account } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { type EntityManager, writtenAt } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { lockBalances, post, type Posting } from '../../db/ledger/ledger.ts'
import { Transfer, TransferReversal } from '../../db/transfer/transfer.ts'
import type { Currency } from '../../domain/currency.ts'
import { newId } from '../../domain/id.ts'
import { add, type Amount, format, isLess, isZero, negate, subtract } from '../../domain/money.ts'
import { leftOf, type TransferKind } from '../../domain/transfer/transfer.ts'
import { Refusal } from '../../domain/refusal.ts'
import { presentPlatformFee } from '../../schemas/transfer/platform-fee.ts'
import { presentTransfer } from '../../schemas/transfer/transfer.ts'

/** The names of a kind of transfer: its ids' prefixes, its movements, and the events of its changes. */
const names = {
  transfer: {
    prefix: 'tr',
    reversalPrefix: 'trr',
    movements: { made: 'transfer', reversed: 'transfer_reversed', restored: 'transfer_restored' },
    events: { made: 'transfer.created', reversed: 'transfer.reversed', restored: 'transfer.updated' },
  },
  platform_fee: {
    prefix: 'pf',
    reversalPrefix: 'pfr',
    movements: { made: 'platform_fee', reversed: 'platform_fee_refunded', restored: 'platform_fee_restored' },
    events: { made: 'platform_fee.created', reversed: 'platform_fee.refunded', restored: 'platform_fee.updated' },
  },
} as const satisfies Record<TransferKind, object>

/** A transfer to be made. Without a sale, a call has asked for it. */
export type NewTransfer = {
  kind: TransferKind
  fromAccountId: string
  toAccountId: string
  currency: Currency
  amount: Amount
  /** The sale that makes it: what has settled of it, and how long after that it becomes available. */
  sale?: { paymentId: string; settled: Amount; availableAfterMs: number }
  reference?: string | null
  description?: string | null
  metadata?: Record<string, string>
}

/**
 * Makes a transfer, with its event. What a sale passes on is taken from the credit that the same commit has made, so it
 * becomes available when the rest of that sale does. Otherwise only available money moves.
 */
export async function makeTransfer(
  em: EntityManager,
  owner: Tenant,
  wanted: NewTransfer,
  at: number,
): Promise<Transfer> {
  const { kind, fromAccountId, toAccountId, currency, amount, sale } = wanted
  const { prefix, movements } = names[kind]
  const moment = await writtenAt(em, at)
  const transfer = em.create(Transfer, {
    accountId: owner.accountId,
    environment: owner.environment,
    kind,
    fromAccountId,
    toAccountId,
    currency,
    amount,
    id: newId(prefix, moment),
    paymentId: sale?.paymentId ?? null,
    settledAmount: sale?.settled ?? null,
    reference: wanted.reference ?? null,
    description: wanted.description ?? null,
    metadata: wanted.metadata ?? {},
    availableAt: new Date(moment + (sale?.availableAfterMs ?? 0)),
    createdAt: new Date(moment),
    updatedAt: new Date(moment),
  })
  const ofCredit = sale && { isOfOwnCredit: true, availableAfterMs: sale.availableAfterMs }
  await move(em, transfer, { kind: movements.made, sourceId: transfer.id, amount, isBack: false, ...ofCredit }, at)
  await recordChange(em, transfer, 'made', at)
  return transfer
}

type Move = Pick<Posting, 'amount' | 'mayOwe' | 'drawsPending' | 'isOfOwnCredit' | 'availableAfterMs'> & {
  kind: (typeof names)[TransferKind]['movements'][keyof (typeof names)[TransferKind]['movements']]
  sourceId: string
  /** From the receiver to the sender. */
  isBack: boolean
}

/** Posts money of a transfer from one of its accounts to the other. */
function move(em: EntityManager, transfer: Transfer, { kind, sourceId, isBack, amount, ...how }: Move, at: number) {
  const { environment, currency } = transfer
  const [sender, receiver] = partiesOf(transfer)
  const [from, to] = isBack ? [receiver, sender] : [sender, receiver]
  const posting: Posting = { ...how, ledgerAccount: 'merchant', currency, amount: negate(amount), to }
  const owner = { accountId: from.accountId, environment }
  return post(em, { kind, sourceId, about: transfer.id, owner, postings: [posting] }, at)
}

/** The accounts of a transfer: the one that sends it, and the one that gets it. */
export const partiesOf = ({
  fromAccountId,
  toAccountId,
  environment,
}: Transfer): [sender: Tenant, receiver: Tenant] => [
  { accountId: fromAccountId, environment },
  { accountId: toAccountId, environment },
]

/** The refund or the dispute of a sale that takes a share of it back. */
export type TakenBackBy = { refundId: string } | { disputeId: string }

/** What goes back of a transfer; `amount` null: all that is left. `of`: the sale’s refund or dispute that wants it. */
export type Reversing = {
  amount: Amount | null
  of?: TakenBackBy
  description?: string | null
  metadata?: Record<string, string>
}

/**
 * Moves a part of a transfer back, with its event; the running transaction has locked the transfer. Pending money of
 * the receiver counts too. What the receiver cannot bear it owes, where the sender is its platform, or a refund or a
 * dispute wants it back; otherwise that is refused with `INSUFFICIENT_BALANCE`.
 */
export async function reverseTransfer(
  em: EntityManager,
  transfer: Transfer,
  { amount: wanted, of, description, metadata }: Reversing,
  at: number,
): Promise<TransferReversal> {
  const { kind, currency, accountId, environment } = transfer
  const left = leftOf(transfer)
  const amount = wanted ?? left
  if (isZero(left) || isLess(left, amount)) {
    throw new Refusal('REFUND_EXCEEDS_REMAINING', `at most ${format(left, currency)} ${currency} can be reversed`)
  }
  const { reversalPrefix, movements } = names[kind]
  const moment = await writtenAt(em, at)
  const reversal = em.create(TransferReversal, {
    accountId,
    environment,
    currency,
    amount,
    id: newId(reversalPrefix, moment),
    transferId: transfer.id,
    refundId: of && 'refundId' in of ? of.refundId : null,
    disputeId: of && 'disputeId' in of ? of.disputeId : null,
    description: description ?? null,
    metadata: metadata ?? {},
    createdAt: new Date(moment),
    canceledAt: null,
  })
  const mayOwe = of !== undefined || (await isPlatformOf(em, transfer.fromAccountId, transfer.toAccountId))
  const back = { kind: movements.reversed, sourceId: reversal.id, amount, isBack: true, drawsPending: true, mayOwe }
  await move(em, transfer, back, at)
  transfer.reversedAmount = add(transfer.reversedAmount, amount)
  transfer.updatedAt = new Date(moment)
  await recordChange(em, transfer, 'reversed', at)
  return reversal
}

/**
 * Moves the amount of a reversal again, because the refund that it belongs to has failed or the dispute was won. Both
 * rows are locked.
 */
export async function restoreTransfer(em: EntityManager, transfer: Transfer, reversal: TransferReversal, at: number) {
  const { movements } = names[transfer.kind]
  const { amount } = reversal
  const again = { isBack: false, drawsPending: true, mayOwe: true }
  await move(em, transfer, { kind: movements.restored, sourceId: reversal.id, amount, ...again }, at)
  transfer.reversedAmount = subtract(transfer.reversedAmount, amount)
  reversal.canceledAt = transfer.updatedAt = new Date(await writtenAt(em, at))
  await recordChange(em, transfer, 'restored', at)
}

async function isPlatformOf(em: EntityManager, platformId: string, accountId: string): Promise<boolean> {
  return (await readRow(em, Account, { id: accountId }))?.ownerId === platformId
}

/** Locks the balances of both accounts of a transfer, before a commit takes from both. */
export const lockParties = (em: EntityManager, transfer: Transfer): Promise<void> =>
  lockBalances(em, partiesOf(transfer), transfer.currency)

async function recordChange(
  em: EntityManager,
  transfer: Transfer,
  change: 'made' | 'reversed' | 'restored',
  at: number,
) {
  const data = transfer.kind === 'transfer' ? presentTransfer(transfer) : presentPlatformFee(transfer)
  await recordEvent(em, transfer, { type: names[transfer.kind].events[change], resourceId: transfer.id, data }, at)
}
