import { type Answer, type Body, done, failed, type Route } from './server.ts'

/** A transaction in the double's book. Amounts are in hundredths. */
export type Transaction = {
  id: bigint
  reference: string
  domain: 'live' | 'test'
  status: string
  amount: bigint
  currency: string
  channel: 'bank_transfer' | 'mobile_money' | 'card' | 'dedicated_nuban'
  email: string
  gateway_response: string
  message: string | null
  wallet: { phone: string; provider: string } | null
  accountNumber: string | null
  authorization: Body
  /** How often it has moved money. */
  executions: number
  /** When it was made, and when it was paid; null: at the same moment. In milliseconds since the epoch. */
  createdAt: number
  paidAt: number | null
}

export type ChargeBook = {
  transactions: Map<string, Transaction>
  /** Money that was sent to an account and went back. */
  returned: { accountNumber: string; amount: bigint }[]
  /** How far Paystack's time is ahead of this machine's, in milliseconds. */
  aheadMs: number
  nextId: () => bigint
}

/** Phones that end so answer at once or ask for something first; all others wait for the test. */
export const voucherEnding = '77'
export const pinEnding = '88'
/** The wallet of such a phone asks on a page of its own. */
export const pageEnding = '55'
/** The first answer about such a phone is `pending`; then a voucher is asked for. */
export const slowEnding = '66'
export const rightCode = '123456'

const providers: Record<string, string[]> = {
  GHS: ['mtn', 'atl', 'vod'],
  KES: ['mpesa', 'atl'],
  XOF: ['mtn', 'orange', 'wave'],
}
const phones: Record<string, RegExp> = { GHS: /^0\d{9}$/, KES: /^\+254\d{9}$/, XOF: /^0\d{9}$/ }
const accountMinutes = [15, 480] as const

const missing = (what: string) => failed(400, `${what} is required`, 'missing_params')
const invalid = (what: string) => failed(400, `${what} is invalid`, 'invalid_params')

/** What is wrong with what every charge has; null: nothing. */
export function commonError({ transactions }: ChargeBook, body: Body): Answer | null {
  const { email, amount, reference } = body
  if (typeof email !== 'string' || email === '') return missing('Email Address')
  if (!/^\S+@\S+\.\S+$/.test(email)) return invalid('Email Address')
  if (typeof amount !== 'string' || !/^[1-9]\d*$/.test(amount)) return invalid('Amount')
  if (typeof reference !== 'string' || !/^[\w.=-]+$/.test(reference) || reference.includes('_'))
    return invalid('Reference')
  if (transactions.has(reference)) return failed(400, 'Duplicate Transaction Reference', 'duplicate_reference')
  return null
}

/** Enters a new transaction into the book. */
export function newTransaction(
  book: ChargeBook,
  body: Body,
  channel: Transaction['channel'],
  status: string,
): Transaction {
  const made: Transaction = {
    id: book.nextId(),
    reference: String(body['reference']),
    domain: 'live',
    status,
    amount: BigInt(String(body['amount'])),
    currency: String(body['currency'] ?? 'NGN'),
    channel,
    email: String(body['email']),
    gateway_response: '',
    message: null,
    wallet: null,
    accountNumber: null,
    authorization: {},
    executions: 0,
    createdAt: Date.now(),
    paidAt: null,
  }
  book.transactions.set(made.reference, made)
  return made
}

/** The charges of Paystack's API, by its page "Charge" and the guide "Payment channels". */
export function chargeRoutes(book: ChargeBook): Route[] {
  const { transactions } = book
  const now = () => Date.now() + book.aheadMs

  function create({ body }: { body: Body }): Answer {
    const error = commonError(book, body)
    if (error) return error
    const { bank_transfer: transfer, mobile_money: money } = body as { bank_transfer?: Body; mobile_money?: Body }
    if (transfer) return byTransfer(body, transfer)
    if (money) return byWallet(body, money)
    return failed(400, 'No channel is given', 'missing_params')
  }

  function byTransfer(body: Body, { account_expires_at }: Body): Answer {
    if (body['currency'] !== 'NGN') return failed(400, 'Currency is not supported', 'unsupported_currency')
    if (BigInt(String(body['amount'])) < 10_000n) return invalid('Amount')
    const until = account_expires_at === null ? NaN : Date.parse(String(account_expires_at))
    const minutes = Number.isNaN(until) ? accountMinutes[1] : (until - now()) / 60_000
    const lives = Math.min(Math.max(minutes, accountMinutes[0]), accountMinutes[1])
    const made = newTransaction(book, body, 'bank_transfer', 'ongoing')
    made.accountNumber = String(9_900_000_000n + (made.id % 99_999_999n))
    return done(accountOf(made, lives), 'Charge attempted')
  }

  const accountOf = ({ reference, accountNumber }: Transaction, minutes: number) => ({
    status: 'pending_bank_transfer',
    display_text: 'Please make a transfer to the account specified',
    reference,
    account_name: 'PAYSTACK CHECKOUT',
    account_number: accountNumber,
    bank: { slug: 'test-bank', name: 'Test Bank', id: 24 },
    account_expires_at: new Date(now() + minutes * 60_000).toISOString(),
  })

  function byWallet(body: Body, { phone, provider }: Body): Answer {
    const currency = String(body['currency'])
    if (!providers[currency]?.includes(String(provider))) return invalid('Provider')
    if (!phones[currency]?.test(String(phone))) return invalid('Phone')
    const made = newTransaction(book, body, 'mobile_money', 'ongoing')
    made.wallet = { phone: String(phone), provider: String(provider) }
    const isSlow = String(phone).endsWith(slowEnding)
    return isSlow ? done({ reference: made.reference, status: 'pending' }, 'Charge attempted') : asked(made)
  }

  function asked({ reference, wallet }: Transaction): Answer {
    const ending = (wallet?.phone ?? '').slice(-2)
    const codes: Record<string, string> = {
      [voucherEnding]: 'send_otp',
      [slowEnding]: 'send_otp',
      [pinEnding]: 'send_pin',
    }
    if (ending === pageEnding)
      return done({ reference, status: 'open_url', url: 'https://wallet.example.com/approve' }, 'Charge attempted')
    const status = codes[ending] ?? 'pay_offline'
    return done({ reference, status, display_text: 'Please complete authorization on your phone' }, 'Charge attempted')
  }

  function submit(field: 'otp' | 'pin', { body }: { body: Body }): Answer {
    const made = transactions.get(String(body['reference']))
    if (!made) return failed(400, 'Transaction reference not found', 'transaction_not_found')
    // An abandoned charge is one that the buyer has not finished, and still takes the code.
    if (!['ongoing', 'abandoned'].includes(made.status))
      return failed(400, 'Transaction is not waiting for a code', 'invalid_params')
    if (body[field] !== rightCode) {
      Object.assign(made, { status: 'failed', gateway_response: field === 'otp' ? 'Wrong OTP' : 'Incorrect PIN' })
      return done(chargeOf(made), 'Charge attempted')
    }
    made.status = 'ongoing'
    return done({ reference: made.reference, status: 'pay_offline', display_text: 'Approve on your phone' })
  }

  function check(reference: string): Answer {
    const made = transactions.get(reference)
    if (!made) return failed(404, 'Transaction not found', 'transaction_not_found')
    if (made.status !== 'ongoing') return done(chargeOf(made))
    return made.channel === 'bank_transfer' ? done(accountOf(made, 60)) : asked(made)
  }

  function verify(reference: string): Answer {
    const made = transactions.get(reference)
    if (!made) return failed(400, 'Transaction reference not found.', 'transaction_not_found')
    return done({ id: made.id, ...chargeOf(made) }, 'Verification successful')
  }

  return [
    { method: 'POST', path: /^\/charge$/, answer: create },
    { method: 'POST', path: /^\/charge\/submit_otp$/, answer: (call) => submit('otp', call) },
    { method: 'POST', path: /^\/charge\/submit_pin$/, answer: (call) => submit('pin', call) },
    { method: 'GET', path: /^\/charge\/([^/]+)$/, answer: (_, [reference = '']) => check(reference) },
    { method: 'GET', path: /^\/transaction\/verify\/([^/]+)$/, answer: (_, [reference = '']) => verify(reference) },
  ]
}

/** A transaction as answers and callbacks show it. */
export const chargeOf = (made: Transaction) => ({
  domain: made.domain,
  status: made.status,
  reference: made.reference,
  amount: made.amount,
  currency: made.currency,
  channel: made.channel,
  gateway_response: made.gateway_response,
  message: made.message,
  paid_at: made.status === 'success' ? new Date(made.paidAt ?? made.createdAt).toISOString() : null,
  created_at: new Date(made.createdAt).toISOString(),
  metadata: '',
  fees: 100,
  log: null,
  authorization: made.authorization,
  customer: { id: 1, email: made.email, customer_code: 'CUS_double', phone: null },
})

/** What people and banks do to charges. */
export function chargeEvents(book: ChargeBook) {
  const read = (reference: string) => {
    const made = book.transactions.get(reference)
    if (!made) throw new Error(`the double has no transaction ${reference}`)
    return made
  }
  const succeed = (made: Transaction) => {
    Object.assign(made, { status: 'success', gateway_response: 'Approved' })
    made.executions += 1
    return made
  }
  return {
    read,
    /** Lets it be this time at Paystack, in milliseconds since the epoch. */
    setTime: (at: number) => void (book.aheadMs = at - Date.now()),
    /** The buyer sends money to the account of a charge. Another amount than that of the charge is sent back. */
    transfer(reference: string, amount: bigint): boolean {
      const made = read(reference)
      const { accountNumber } = made
      if (made.status !== 'ongoing' || amount !== made.amount) {
        book.returned.push({ accountNumber: accountNumber ?? '', amount })
        return false
      }
      made.authorization = {
        authorization_code: 'AUTH_transfer',
        channel: 'bank_transfer',
        sender_name: 'Ada Obi',
        sender_bank: 'Kuda Bank',
        sender_bank_account_number: 'XXXXXX4321',
        receiver_bank_account_number: accountNumber,
      }
      succeed(made)
      return true
    },
    /** Somebody sends money to a virtual account, under a reference that Paystack makes. */
    deposits(reference: string, accountNumber: string, amount: bigint): Transaction {
      const body = { reference, amount: String(amount), currency: 'NGN', email: 'customer@example.com' }
      const made = newTransaction(book, body, 'dedicated_nuban', 'ongoing')
      made.authorization = {
        channel: 'dedicated_nuban',
        sender_name: 'Ada Obi',
        sender_bank: null,
        sender_bank_account_number: 'XXXXXX4321',
        receiver_bank_account_number: accountNumber,
      }
      return succeed(made)
    },
    /** The owner of the phone agrees. */
    agree: (reference: string) => succeed(read(reference)),
    /** The charge ends without money; `words` are Paystack's. */
    fail: (reference: string, status: string, words: string) =>
      Object.assign(read(reference), { status, gateway_response: words }),
  }
}
