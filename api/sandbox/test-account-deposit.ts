import Type from 'typebox'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { SimulatedDeposit } from '../../rails/sandbox/book.ts'
import { testSender } from '../../rails/sandbox/test-values.ts'
import { takeUpDeposit } from '../../commands/take-up-deposit.ts'
import { timeOfAccount } from '../../db/core/test-clock.ts'
import type { VirtualAccount } from '../../db/platform/virtual-account.ts'
import { type Amount, parseAmount } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import { notBlank, nullable } from '../../schemas/common.ts'
import { Payment } from '../../schemas/checkout/payment.ts'
import { showPayment } from '../checkout/payment.ts'
import { operation } from '../http/operation.ts'
import { validateAmount, sessionIdOf, waitFor } from './test-deposit.ts'
import { assertSandbox } from '../http/assert-sandbox.ts'
import { findVirtualAccount, VirtualAccountId } from '../platform/virtual-account.ts'

const sender = Type.Optional(
  nullable(Type.String({ maxLength: 255, pattern: notBlank, description: 'Null: the bank does not tell.' })),
)

const DepositInSandbox = Type.Object(
  {
    amount: Type.String({ examples: ['5000.00'] }),
    sender_name: sender,
    sender_bank: sender,
    sender_account_number: Type.Optional(
      nullable(Type.String({ pattern: '^[0-9*]{4,20}$', examples: ['012*****78'] })),
    ),
    session_id: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9]{1,64}$',
        examples: ['S20261120'],
        description: 'The bank’s id: the same id again is the same transfer.',
      }),
    ),
  },
  { $id: 'SimulatedVirtualAccountDeposit' },
)

export const simulateVirtualAccountDeposit = operation({
  method: 'post',
  path: '/v1/test-helpers/virtual-accounts/{virtual_account_id}/deposits',
  summary: 'Send a bank transfer to a virtual account',
  tag: 'Test helpers',
  auth: ['apiKey'],
  scope: 'test_helpers:write',
  mode: 'process',
  makes: 'pay',
  params: VirtualAccountId,
  body: DepositInSandbox,
  validate: validateAmount,
  returns: [200, Payment],
  refuses: ['NOT_FOUND', 'CONFLICT', 'SIMULATION_NOT_ALLOWED'],

  async handle({ params, body, caller, em, now, callId, services }) {
    assertSandbox(caller)
    const account = await findVirtualAccount(em, caller, params.virtual_account_id)
    const amount = parseAmount(body.amount, account.currency)
    const transfer = { ...body, amount, sessionId: body.session_id ?? sessionIdOf(callId), paymentId: callId }
    const { id, isFinal } = await inTransaction(services.database, (writing) =>
      depositInSandbox(writing, account, transfer, now),
    )
    // The payment's process settles it at once, unless the bank may still take the transfer back.
    const payment = await waitFor(em, id, ({ status }) => !isFinal || status !== 'processing')
    return showPayment(em, payment, services)
  },
})

type Sender = Partial<Record<'sender_name' | 'sender_bank' | 'sender_account_number', string | null>>
type Transfer = Sender & { amount: Amount; sessionId: string; paymentId: string }

/**
 * Stores the transfer in the simulated bank, once, and handles the bank's notice of it, both at the account's own time.
 * `id` is the payment's.
 */
async function depositInSandbox(
  em: EntityManager,
  account: VirtualAccount,
  transfer: Transfer,
  now: number,
): Promise<{ id: string; isFinal: boolean }> {
  const at = await timeOfAccount(em, account, now)
  const { sessionId, sender_name: name = testSender.name, sender_bank: bank = testSender.bank } = transfer
  const { sender_account_number: number = testSender.accountNumber } = transfer
  const { accountId, accountNumber } = account
  await em.execute(
    `insert into simulated_deposits
       (account_id, session_id, account_number, amount, sender_name, sender_bank, sender_account_number, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (account_id, session_id) do nothing`,
    [accountId, sessionId, accountNumber, transfer.amount, name, bank, number, new Date(at)],
  )
  const found = await em.findOneOrFail(SimulatedDeposit, { accountId, sessionId })
  const { accountNumber: target, amount, isFinal } = found
  if (target !== accountNumber) throw new Refusal('CONFLICT', 'this transfer was sent to another account')
  const { paymentId } = await takeUpDeposit(em, account, { paymentId: transfer.paymentId, sessionId, amount }, at)
  return { id: paymentId, isFinal }
}
