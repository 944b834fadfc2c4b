import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lockShareTakenBack, takeBackShare } from '../../commands/share-back.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { Transfer, TransferReversal } from '../../db/transfer/transfer.ts'
import { newId } from '../../domain/id.ts'
import { format } from '../../domain/money.ts'
import { sale } from '../support/merchant.ts'
import { addPlatform } from '../support/platform.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A payment may be refunded in any number of parts, each of which takes back its part of what was passed on.
const stack = await useStack()
const api = await useApi(stack)
const refunds = Array.from({ length: 151 }, (_, index) => newId('ref', index))

/** Adds refunds of 0.01 that have found nothing of the share to take. */
const refundInParts = (em: EntityManager, { id }: Payment) =>
  em.execute(
    `insert into refunds (id, account_id, environment, charge_id, reference, status, currency, requested_amount,
       refunded_amount, fee_amount, fee_bearer, takes_back_share, created_at, updated_at, completed_at)
     select given.id, p.account_id, p.environment, p.id, 'part', 'succeeded', p.currency, 0.01, 0.01, 0, 'ORG', true,
       p.created_at, p.created_at, p.created_at
     from json_array_elements_text(?::json) as given (id), payments p where p.id = ?`,
    [JSON.stringify(refunds), id],
  )

test('the shares of a sale with many refunds are found without reading each of these', async () => {
  const { seller } = await addPlatform(api)
  // 96.80 of it settle.
  const charge = await seller.merchant.chargeByCard({ ...sale, amount: '100.00', platform_fee: '10.00' })
  const undone = new Error('it is rolled back: nothing was posted for these refunds')
  const work = async (em: EntityManager) => {
    const payment = await lock(em, Payment, charge)
    await refundInParts(em, payment)
    payment.refundClaimed = '49.90'
    const by = { refundId: String(refunds[150]) }
    const takesBack = { reversesTransfer: true, refundsPlatformFee: true }
    const standing = async () => {
      const transfer = await em.findOneOrFail(Transfer, { paymentId: charge })
      const reversals = await em.find(TransferReversal, { transferId: transfer.id, canceledAt: null })
      return [transfer.reversedAmount, ...reversals.flatMap((row) => [row.refundId, format(row.amount, 'USD')])]
    }
    await takeBackShare(em, payment, { by, amount: '48.40' }, takesBack, Date.now())
    assert.deepEqual(await standing(), ['5.15', by.refundId, '5.15'], 'half of 10.00, and 1.5 of 96.8 of it')
    payment.refundClaimed = '1.50'
    const taken = await lockShareTakenBack(em, by, payment)
    await taken?.restore(Date.now())
    assert.deepEqual(await standing(), ['0.15', refunds[99], '0.15'], 'no more than 100 of them are asked')
    const read = [...em.getUnitOfWork().getIdentityMap().values()]
    assert.ok(read.length > 2 && read.length < 100, `${read.length} rows`)
    throw undone
  }
  await assert.rejects(inTransaction(stack.database, work), undone)
})
