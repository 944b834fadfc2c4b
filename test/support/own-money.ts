import { endDispute } from '../../commands/dispute/change-dispute.ts'
import { openDisputes } from '../../commands/dispute/open-dispute.ts'
import { endRefund, openRefund } from '../../commands/open-refund.ts'
import { endPayout } from '../../commands/payout/end-payout.ts'
import { settlePayment } from '../../commands/settle-payment.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { type Database, inTransaction, lock } from '../../db/core/database.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { post } from '../../db/ledger/ledger.ts'
import { PayoutDestination } from '../../db/payout/destination.ts'
import { Payout } from '../../db/payout/payout.ts'
import { Refund } from '../../db/refund/refund.ts'
import type { Corridor } from '../../domain/corridor.ts'
import type { Currency } from '../../domain/currency.ts'
import { newId } from '../../domain/id.ts'
import { negate } from '../../domain/money.ts'

// Our side of live money, written by the commands that the processes use, at a moment that the test chooses.

const accountId = 'acct_of_the_test'
const tenant = { accountId, environment: 'live' } as const

type Sale = { id: string; amount: string; currency: Currency; corridor: Corridor }

/** A payment as it is before its rail has answered. */
export const beginPayment = (database: Database, { id, amount, currency, corridor }: Sale, at: number) =>
  inTransaction(database, async (em) => {
    em.create(Payment, {
      ...tenant,
      id,
      amount,
      currency,
      corridor,
      status: 'processing' as const,
      settles: amount,
      fee: '0',
      feeUsd: '0',
      feePreference: 'org_pays' as const,
      rate: null,
      baseAmount: null,
      baseCurrency: null,
      checkoutId: null,
      subscriptionId: null,
      statementText: null,
      nextAction: null,
      methodDetails: null,
      lineItems: null,
      platformFee: null,
      transferAmount: null,
      transferDestination: null,
      customerId: null,
      customerDetails: null,
      reference: null,
      metadata: {},
      failureCode: null,
      cancelling: null,
      newsDueAt: null,
      createdAt: new Date(at),
      updatedAt: new Date(at),
      completedAt: null,
    })
  })

/** The payment is paid, with all of its amount; `depositId`: as money that was sent to an account. */
const payPayment = (database: Database, id: string, at: number, depositId: string | null = null) =>
  inTransaction(database, async (em) => {
    const payment = await lock(em, Payment, id)
    const { amount, currency } = payment
    payment.amountReceived = amount
    const postings = [
      { ledgerAccount: 'rail' as const, currency, amount: negate(amount) },
      { ledgerAccount: 'buyer' as const, currency, amount },
    ]
    if (depositId !== null)
      await post(em, { kind: 'deposit', sourceId: `${id}/${depositId}`, owner: payment, postings }, at)
    await settlePayment(em, payment, depositId !== null, at)
  })

export async function ownPayment(database: Database, sale: Sale, at: number, depositId?: string): Promise<void> {
  await beginPayment(database, sale, at)
  await payPayment(database, sale.id, at, depositId)
}

/** Opens a refund of a payment; `end` ends it later. */
export async function beginRefund(database: Database, paymentId: string, amount: string, at: number) {
  const id = await inTransaction(database, async (em) => {
    const request = {
      amount,
      feeBearer: 'ORG' as const,
      address: null,
      isFree: true,
      reference: newId('ref', at),
      reason: null,
      simulatedOutcome: null,
      takesBack: { reversesTransfer: false, refundsPlatformFee: false },
    }
    const refund = await openRefund(em, await lock(em, Payment, paymentId), request, at)
    refund.status = 'processing'
    return refund.id
  })
  return {
    id,
    end: (status: 'succeeded' | 'failed') =>
      inTransaction(database, async (em) => {
        const charge = await lock(em, Payment, paymentId)
        await endRefund(em, await lock(em, Refund, id), charge, status, at)
      }),
  }
}

/** A dispute that the network has raised; `end` decides it. Returns our id of it. */
export async function ownDispute(database: Database, paymentId: string, networkId: string, amount: string, at: number) {
  const raised = {
    id: networkId,
    amount,
    reason: 'fraudulent' as const,
    networkReasonCode: null,
    dueAt: at,
    warnsUntil: null,
  }
  await inTransaction(database, async (em) => openDisputes(em, await lock(em, Payment, paymentId), [raised], at))
  const { id } = await database.orm.em.fork().findOneOrFail(Dispute, { paymentId, networkId })
  return {
    id,
    end: (status: 'won' | 'lost') =>
      inTransaction(database, async (em) => endDispute(em, await lock(em, Dispute, id), status, 'evidence', at)),
  }
}

/** A payout that is with its rail; `complete` ends it. The account's balance has to hold the amount. */
export async function beginPayout(database: Database, amount: string, currency: 'NGN' | 'GHS' | 'KES', at: number) {
  const id = newId('pay', at)
  const moment = new Date(at)
  await inTransaction(database, async (em) => {
    const destination = em.create(PayoutDestination, {
      ...tenant,
      id: newId('pd', at),
      name: 'A bank',
      type: 'bank_account' as const,
      currency,
      status: 'approved' as const,
      statusReason: null,
      accountNumber: '0123459876',
      accountName: 'Ada Obi',
      holderAtBank: 'Ada Obi',
      bankCode: '058',
      bankName: 'A bank',
      scheme: null,
      phoneNumber: null,
      mobileProvider: null,
      walletAddress: null,
      network: null,
      metadata: {},
      reviewedAt: moment,
      deactivatedAt: null,
      createdAt: moment,
      updatedAt: moment,
    })
    const payout = em.create(Payout, {
      ...tenant,
      id,
      amount,
      currency,
      sourceAmount: amount,
      sourceCurrency: currency,
      destinationId: destination.id,
      destinationType: 'bank_account' as const,
      destinationRevision: 1,
      heldAgain: 0,
      status: 'processing' as const,
      fee: '0',
      quoteFee: '0',
      scheduleId: null,
      quoteId: null,
      reference: null,
      description: null,
      metadata: {},
      simulatedOutcome: null,
      holdReason: null,
      failureReason: null,
      traceId: null,
      submittedAt: moment,
      returnedAt: null,
      createdAt: moment,
      updatedAt: moment,
      completedAt: null,
    })
    const postings = [
      { ledgerAccount: 'merchant' as const, currency, amount: negate(amount) },
      { ledgerAccount: 'reserved' as const, currency, amount },
    ]
    await post(em, { kind: 'payout_hold', sourceId: id, owner: payout, postings }, at)
  })
  return {
    id,
    complete: () =>
      inTransaction(database, async (em) => endPayout(em, await lock(em, Payout, id), { status: 'completed' }, at)),
  }
}
