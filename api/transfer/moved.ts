import { LockMode } from '@mikro-orm/core'
import type { EntityManager } from '../../db/core/database.ts'
import { Transfer, TransferReversal } from '../../db/transfer/transfer.ts'
import { type Amount, parseAmount } from '../../domain/money.ts'
import type { TransferKind } from '../../domain/transfer/transfer.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Caller } from '../http/operation.ts'

// What the operations on transfers and on platform fees share.

const nouns: Record<TransferKind, string> = { transfer: 'transfer', platform_fee: 'platform fee' }

/** A transfer or platform fee that the caller has sent or received. */
export async function findMoved(em: EntityManager, caller: Caller, kind: TransferKind, id: string): Promise<Transfer> {
  const { accountId, environment } = caller
  const isParty = [{ fromAccountId: accountId }, { toAccountId: accountId }]
  const row = await em.findOne(Transfer, { id, environment, kind, $or: isParty })
  if (!row) throw new Refusal('NOT_FOUND', `no such ${nouns[kind]}`)
  return row
}

/** Locks a transfer or platform fee of the caller's own, so that nothing more of it goes back meanwhile. */
export async function lockMoved(em: EntityManager, caller: Caller, kind: TransferKind, id: string): Promise<Transfer> {
  const { accountId, environment } = caller
  const where = { id, accountId, environment, kind }
  const row = await em.findOne(Transfer, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!row) throw new Refusal('NOT_FOUND', `no such ${nouns[kind]}`)
  return row
}

/** There may be any number of refunds of a sale. */
const returnsMax = 100

/** What has gone back of it, the newest first, and no more than can be shown. */
export const returnsOf = (em: EntityManager, { id }: Transfer): Promise<TransferReversal[]> =>
  em.find(TransferReversal, { transferId: id }, { orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], limit: returnsMax })

/** The amount that is to go back; null for all that is left. */
export const amountBack = (sent: string | null | undefined, { currency }: Transfer): Amount | null =>
  sent === undefined || sent === null ? null : parseAmount(sent, currency)
