import assert from 'node:assert/strict'
import { chargeReference } from '../../rails/paystack/reference.ts'
import { chargeData } from '../doubles/paystack/callbacks.ts'
import type { Transaction } from '../doubles/paystack/charges.ts'
import { addLiveMerchant } from './live.ts'
import type { useLiveStack } from './live-providers.ts'
import { buyer, type Merchant, transferSale } from './merchant.ts'
import { createNews } from './provider-news.ts'
import type { Session } from './sale-kits.ts'
import { depositInto, openAccount } from './virtual-account.ts'

type Live = Awaited<ReturnType<typeof useLiveStack>>
/** A virtual account. */
export type Account = Record<'virtual_account_id' | 'account_number' | 'customer_id', string>

/** Banks whose accounts buyers and payers send money to. Amounts are in naira. */
export type TransferKit = {
  name: string
  environment: 'sandbox' | 'live'
  merchant: Merchant
  /** A sale that can be paid by a transfer, of 5,000 naira. */
  body: Record<string, unknown>
  /** The buyer of a session gets an account to send the money to. Returns the payment's id. */
  begin(session: Session): Promise<string>
  /** Somebody sends money to the account of a payment. Nobody tells the service of it. Whether the bank keeps it. */
  send(paymentId: string, amount?: string): Promise<boolean>
  /** The bank tells the service that there is news about a payment. */
  tell(paymentId: string): Promise<void>
  /** Somebody sends money after the account of a payment was closed: nothing comes of it. */
  sendTooLate(paymentId: string): Promise<void>
  /** Whether the bank keeps what is not the exact amount, as a part or with a surplus. */
  takesAnyAmount: boolean
  /** How long after a session that was open for five minutes its account still takes money, in milliseconds. */
  lateMs: number
  /** How often the bank has refunded under this id. */
  refundsFor(refundId: string): Promise<number>
  endRefund(refundId: string): Promise<void>

  openAccount(): Promise<Account>
  /** Somebody sends 5,000 naira into a virtual account. Returns the bank's name of the transfer. */
  deposit(to: Account, isFinal: boolean): Promise<string>
  /** The bank tells of a transfer into a virtual account; it may name another amount than it has. */
  notify(reference: string): Promise<void>
  /** From now on the bank calls a transfer final. */
  confirm(reference: string): Promise<void>
  /** From now on the bank has another amount, or another account, for a transfer. */
  change(reference: string, to: { amount?: string; accountNumber?: string }): Promise<void>
  /** The bank does not answer the next question; the sandbox's then does not know the transfer either. */
  failOnce(): void
}

/** The sandbox's bank and Paystack's, of one service. Stripe's transfers are not taken. */
export async function createTransferKits(live: Live): Promise<TransferKit[]> {
  const { merchant: sandboxMerchant } = await live.api.addMerchant()
  const { merchant } = await addLiveMerchant(live.stack, live.api)
  return [createSandbox(live, sandboxMerchant), createPaystack(live, merchant)]
}

let count = 0

function createSandbox({ stack }: Live, merchant: Merchant): TransferKit {
  const accounts = new Map<string, Account>()
  const { virtualAccounts } = stack.deps.rails.in('sandbox')
  const become = (isFinal: boolean) =>
    stack.sql(`alter table simulated_deposits alter column is_final set default ${isFinal}`)
  const notify = async (reference: string) => {
    const to = accounts.get(reference) ?? assert.fail()
    const { status, text } = await depositInto(merchant, to, { amount: '5000.00', session_id: reference })
    assert.equal(status, 200, text)
    await stack.dispatched()
  }
  return {
    name: 'the sandbox',
    environment: 'sandbox',
    merchant,
    body: transferSale,
    begin: async (session) => (await merchant.payByTransfer(session)).payment_id,
    async send(paymentId, amount = '5000.00') {
      await stack.sql(
        `insert into simulated_deposits (account_id, session_id, payment_id, amount, sender_name, sender_bank,
           sender_account_number, created_at)
         select account_id, ?, id, ?, 'Ada', 'Bank', '0123456789', now() from payments where id = ?`,
        [`untold${++count}`, amount, paymentId],
      )
      return true
    },
    async tell(paymentId) {
      await stack.sql(
        `insert into outbox (process, resource_id, signal, about)
         select 'checkout', checkout_id,
           jsonb_build_object('name', 'railAnswered', 'args', jsonb_build_array(id::text)),
           jsonb_build_object('accountId', account_id, 'environment', environment, 'status', status,
             'waitingOn', 'rail', 'summary', 'news') from payments where id = ?`,
        [paymentId],
      )
      await stack.dispatched()
    },
    async sendTooLate(paymentId) {
      assert.equal((await merchant.deposit(paymentId)).status, 409)
    },
    takesAnyAmount: true,
    lateMs: 71 * 3_600_000,
    refundsFor: async (refundId) =>
      (await stack.sql('select from simulated_refunds where refund_id = ?', [refundId])).length,
    endRefund: async () => undefined, // it ends by itself
    openAccount: () => openAccount(merchant, `payer${++count}@example.com`),
    async deposit(to, isFinal) {
      const reference = `S${++count}`
      accounts.set(reference, to)
      await become(isFinal)
      await notify(reference)
      await become(true)
      return reference
    },
    notify,
    async confirm(reference) {
      await stack.sql('update simulated_deposits set is_final = true where session_id = ?', [reference])
    },
    async change(reference, { amount, accountNumber }) {
      await stack.sql(
        `update simulated_deposits
         set amount = coalesce(?::numeric, amount), account_number = coalesce(?, account_number) where session_id = ?`,
        [amount ?? null, accountNumber ?? null, reference],
      )
    },
    failOnce() {
      const { lookUp } = virtualAccounts
      const answers = [() => Promise.reject(new Error('the bank is unavailable')), () => Promise.resolve(null)]
      virtualAccounts.lookUp = (...about) => answers.shift()?.() ?? lookUp(...about)
    },
  }
}

const kobo = (amount: string) => BigInt(amount.replace('.', ''))

function createPaystack(live: Live, merchant: Merchant): TransferKit {
  const { stack, paystack } = live
  const { fromPaystack } = createNews(live)
  const told = new Map<string, { amount: bigint }>()
  const read = (paymentId: string) => paystack.read(chargeReference(paymentId))
  const made = (reference: string): Transaction => paystack.read(reference)
  const notify = (reference: string) =>
    fromPaystack('charge.success', { ...chargeData(made(reference)), ...told.get(reference) })
  return {
    name: 'Paystack',
    environment: 'live',
    merchant,
    body: { ...transferSale, customer: buyer },
    async begin(session) {
      paystack.setTime(await stack.clock.now()) // the account lives by Paystack's time
      return (await merchant.payByTransfer(session)).payment_id
    },
    send: async (paymentId, amount = '5000.00') => paystack.transfer(chargeReference(paymentId), kobo(amount)),
    tell: (paymentId) => fromPaystack('charge.success', chargeData(read(paymentId))),
    async sendTooLate(paymentId) {
      paystack.fail(chargeReference(paymentId), 'timeout', 'Timed out')
      assert.equal(paystack.transfer(chargeReference(paymentId), 500_000n), false)
      await fromPaystack('charge.success', chargeData(read(paymentId)))
    },
    takesAnyAmount: false,
    lateMs: 8 * 60_000,
    refundsFor: async (refundId) => paystack.refundsOf(refundId).length,
    endRefund: async (refundId) => paystack.settleRefund(refundId, 'processed'),
    async openAccount() {
      const person = { email: `payer${++count}@example.org`, name: 'Ada Obi', phone_number: '+2348012345678' }
      const { body } = await merchant.call('POST', '/v1/customers', person)
      const opened = { customer_id: body['customer_id'], currency: 'NGN' }
      const { status, text, body: account } = await merchant.call('POST', '/v1/virtual-accounts', opened)
      assert.equal(status, 201, text)
      return account as unknown as Account
    },
    async deposit({ account_number }, isFinal) {
      const reference = `17612345678${++count}abc`
      const { amount } = paystack.deposits(reference, account_number, 500_000n)
      told.set(reference, { amount })
      if (!isFinal) made(reference).status = 'pending'
      await notify(reference)
      return reference
    },
    notify,
    confirm: async (reference) => void (made(reference).status = 'success'),
    async change(reference, { amount, accountNumber }) {
      const transaction = made(reference)
      if (amount !== undefined) transaction.amount = kobo(amount)
      if (accountNumber !== undefined) transaction.authorization['receiver_bank_account_number'] = accountNumber
    },
    failOnce: () => paystack.fails('GET /transaction/verify', 500),
  }
}
