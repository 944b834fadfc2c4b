import { createHash } from 'node:crypto'
import Big from 'big.js'
import type { Database } from '../../db/core/database.ts'
import { SimulatedCharge, SimulatedDeposit } from './book.ts'
import { format } from '../../domain/money.ts'
import type { ChargeOrder, Rail, RailAnswer } from '../rail.ts'
import { createSimulatedDisputes } from './dispute.ts'
import { createSimulatedRefunds } from './refund.ts'

const bank = { name: 'Steady Bank (sandbox)', accountName: 'Steadypay Checkout' }

/** NGN bank transfers, simulated: one account number per charge, deposits sent by the test helper. */
export function createSimulatedTransfers(database: Database): Rail<'sandbox'> {
  const { orm } = database
  async function lookUp(paymentId: string): Promise<RailAnswer> {
    const em = orm.em.fork()
    const charge = await em.findOne(SimulatedCharge, { paymentId })
    if (!charge) return { status: 'not_found' }
    const deposits = await em.find(SimulatedDeposit, { paymentId }, { orderBy: { createdAt: 1, sessionId: 1 } })
    const newest = deposits.at(-1)
    if (!newest) return awaiting(charge)
    const received = deposits.reduce((sum, deposit) => sum.plus(deposit.amount), new Big(0))
    return {
      status: received.lt(charge.amount) ? 'underpaid' : 'succeeded',
      received: received.toFixed(),
      deposits: deposits.map(({ sessionId, amount }) => ({ id: sessionId, amount })),
      details: {
        sender_name: newest.senderName,
        sender_bank: newest.senderBank,
        sender_account_number: newest.senderAccountNumber,
        session_id: newest.sessionId,
        account_number: charge.accountNumber,
      },
    }
  }

  /** Enters a charge into the book, unless it is there. False: another payment has this account number. */
  async function openAccount({ paymentId, amount, currency, listensUntil }: ChargeOrder, number: string) {
    const em = orm.em.fork()
    const opened = await em.execute<object[]>(
      `insert into simulated_charges (payment_id, status, amount, currency, account_number, closes_at)
       values (?, 'requires_action', ?, ?, ?, ?) on conflict do nothing returning payment_id`,
      [paymentId, amount, currency, number, new Date(listensUntil)],
    )
    return opened.length > 0 || (await em.count(SimulatedCharge, { paymentId })) > 0
  }

  return {
    ...createSimulatedRefunds(database),
    ...createSimulatedDisputes(database),
    async charge(order: ChargeOrder) {
      for (let n = 0; !(await openAccount(order, accountNumber(order.paymentId, n))); n++);
      const answer = await lookUp(order.paymentId)
      if (answer.status !== 'requires_action' || answer.nextAction.type !== 'bank_transfer') return answer
      const expiresAt = new Date(order.expiresAt).toISOString()
      return { ...answer, nextAction: { ...answer.nextAction, expires_at: expiresAt } }
    },
    confirm: (paymentId) => lookUp(paymentId), // the transfer itself confirms; there is no code to check
    // Nobody can stop a transfer: what is sent to the account arrives.
    cancelCharge: lookUp,
    lookUp,
  }
}

function awaiting(charge: SimulatedCharge): RailAnswer {
  const { currency } = charge
  if (currency === '') throw new Error(`nobody has ordered the charge ${charge.paymentId}`)
  return {
    status: 'requires_action',
    nextAction: {
      type: 'bank_transfer',
      bank_name: bank.name,
      account_number: charge.accountNumber ?? '',
      account_name: bank.accountName,
      amount: format(charge.amount, currency),
      currency,
      expires_at: charge.closesAt?.toISOString() ?? '',
    },
  }
}

/** Ten digits for this payment. Of two payments with the same first choice the later one takes its next. */
function accountNumber(paymentId: string, n: number): string {
  const digest = createHash('sha256')
    .update(n === 0 ? paymentId : `${paymentId}/${n}`)
    .digest()
  return String((digest.readBigUInt64BE() % 9_000_000_000n) + 1_000_000_000n)
}
