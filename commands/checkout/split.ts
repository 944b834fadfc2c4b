import type { Payment } from '../../db/checkout/payment.ts'
import { organizationOf } from '../../db/core/account.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { splitIn, splitOfPart } from '../../domain/checkout/split.ts'
import { availableAfterMsOf } from '../../domain/corridor.ts'
import { type Amount, isZero, lesser } from '../../domain/money.ts'
import type { TransferKind } from '../../domain/transfer/transfer.ts'
import { makeTransfer } from '../transfer/transfer.ts'

/**
 * Passes on what a settled payment promises to somebody else, in the currency of the payment and at its rate. `settled`
 * is what the account gets of it now; where that is only a part of `whole`, so is what is passed on. A surplus promises
 * nothing, and nor does a duplicate, which is refunded.
 */
export async function passOnSplit(
  em: EntityManager,
  payment: Payment,
  { settled, whole }: { settled: Amount; whole: Amount },
  at: number,
): Promise<void> {
  const { accountId, currency, corridor, platformFee, transferDestination, reference } = payment
  const promised = splitIn(payment, payment.rate, currency)
  const part = lesser(settled, whole)
  // The fee may take all of a small sale: then its share, at the rate of the payment, has been rounded to nothing.
  if (promised === null || payment.duplicate || isZero(part)) return
  const kind: TransferKind = platformFee ? 'platform_fee' : 'transfer'
  const platformId = platformFee ? await organizationOf(em, accountId) : accountId
  const amount = splitOfPart(promised, kind, { part, whole }, currency)
  if (isZero(amount)) return
  const availableAfterMs = availableAfterMsOf(corridor)
  const toAccountId = transferDestination ?? platformId
  const sale = { paymentId: payment.id, settled: part, availableAfterMs }
  const transfer = { kind, fromAccountId: accountId, toAccountId, currency, amount, reference, sale }
  await makeTransfer(em, { accountId: platformId, environment: payment.environment }, transfer, at)
}
