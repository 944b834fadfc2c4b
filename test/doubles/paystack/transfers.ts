import { type Answer, type Body, done, failed, type Route } from './server.ts'

type Transfer = {
  id: bigint
  reference: string
  transfer_code: string
  status: string
  amount: bigint
  currency: string
  recipient: string
  reason: string
  createdAt: number
  /** How often it has moved money. */
  executions: number
}
type Recipient = { code: string; body: Body }

export type TransferBook = {
  transfers: Map<string, Transfer>
  recipients: Recipient[]
  /** What may be sent, in hundredths. */
  balance: bigint
  /** The status of the next new transfers. */
  nextStatus: string
  nextId: () => bigint
}

/** An account that the bank does not know, and one that Paystack takes for no account. */
export const unknownAccount = '0000000000'
export const invalidAccount = '0000000001'

const types: Record<string, string[]> = {
  NGN: ['nuban'],
  GHS: ['ghipss', 'mobile_money'],
  KES: ['kepss', 'mobile_money'],
}

/** The transfers of Paystack's API, by its pages "Transfers", "Transfer recipients" and "Verification". */
export function transferRoutes(book: TransferBook): Route[] {
  function addRecipient({ body }: { body: Body }): Answer {
    const { type, name, account_number: account, bank_code: bank, currency } = body
    if (!types[String(currency)]?.includes(String(type))) return failed(400, 'Type is invalid', 'invalid_params')
    if (!name || !account || !bank) return failed(400, 'Account number is required', 'missing_params')
    if (account === invalidAccount) return failed(400, 'Account details are invalid', 'invalid_account')
    const same = book.recipients.find((one) => one.body['account_number'] === account && one.body['bank_code'] === bank)
    const made = same ?? { code: `RCP_${book.nextId()}`, body }
    if (!same) book.recipients.push(made)
    return done({ recipient_code: made.code, type, name, currency, active: true, id: 28, details: { bank_code: bank } })
  }

  function send({ body }: { body: Body }): Answer {
    const { source, amount, currency, recipient, reference, reason } = body
    if (source !== 'balance' || typeof amount !== 'number') return failed(400, 'Amount is invalid', 'invalid_params')
    if (!/^[a-z0-9_-]{16,50}$/.test(String(reference))) return failed(400, 'Reference is invalid', 'invalid_params')
    const to = book.recipients.find(({ code }) => code === recipient)
    if (to?.body['currency'] !== currency) return failed(404, 'Recipient not found', 'recipient_not_found')
    if (book.transfers.has(String(reference))) {
      const message = 'Please provide a unique reference. Reference already exists on a transfer'
      return failed(400, message, 'duplicate_transfer_reference')
    }
    if (amount < 10_000) return failed(400, 'Transfer amount is too small', 'invalid_params')
    if (book.balance < BigInt(amount))
      return failed(400, 'Your balance is not enough to fulfil this request', 'invalid_params')
    const id = book.nextId()
    const status = book.nextStatus
    const made: Transfer = {
      id,
      reference: String(reference),
      transfer_code: `TRF_${id}`,
      status,
      amount: BigInt(amount),
      currency: String(currency),
      recipient: String(recipient),
      reason: String(reason),
      createdAt: Date.now(),
      executions: status === 'success' ? 1 : 0,
    }
    book.balance -= made.amount
    book.transfers.set(made.reference, made)
    return done(transferOf(made), 'Transfer has been queued')
  }

  function verify(reference: string): Answer {
    const made = book.transfers.get(reference)
    return made ? done(transferOf(made)) : failed(404, 'Transfer not found', 'transfer_not_found')
  }

  function resolve({ query }: { query: URLSearchParams }): Answer {
    const account_number = query.get('account_number')
    if (account_number === unknownAccount)
      return failed(422, 'Could not resolve account name. Check parameters or try again.', 'invalid_bank_code')
    return done({ account_number, account_name: 'ADA OBI', bank_id: 9 }, 'Account number resolved')
  }

  return [
    { method: 'POST', path: /^\/transferrecipient$/, answer: addRecipient },
    { method: 'POST', path: /^\/transfer$/, answer: send },
    { method: 'GET', path: /^\/transfer\/verify\/([^/]+)$/, answer: (_, [reference = '']) => verify(reference) },
    { method: 'GET', path: /^\/bank\/resolve$/, answer: resolve },
  ]
}

/** A transfer as answers and callbacks show it. */
export const transferOf = (made: Transfer) => ({
  id: made.id,
  reference: made.reference,
  transfer_code: made.transfer_code,
  status: made.status,
  amount: made.amount,
  currency: made.currency,
  reason: made.reason,
  domain: 'live',
  source: 'balance',
  recipient: 28,
  failures: null,
  transferred_at: null,
  createdAt: new Date(made.createdAt).toISOString(),
})

/** What becomes of transfers. */
export const transferEvents = (book: TransferBook) => ({
  /** A transfer ends, or comes back; `success` moves money, and `reversed` and `failed` give it back. */
  settle(reference: string, status: string): void {
    const made = book.transfers.get(reference)
    if (!made) throw new Error(`the double has no transfer ${reference}`)
    if (status === 'success') made.executions += 1
    if (status === 'reversed' || status === 'failed') book.balance += made.amount
    made.status = status
  },
})
