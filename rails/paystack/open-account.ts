import type { FieldError } from '../../domain/refusal.ts'
import { banksOf } from '../../domain/payout/bank.ts'
import { RailRefusal } from '../rail-refusal.ts'
import { type AccountOrder, IncompleteHolder, type OpenedAccount } from '../virtual-account-bank.ts'
import type { AccountBook } from './account-book.ts'
import { type PaystackApi, PaystackUnclear, type Reply, unclear } from './api.ts'
import { isNotFound, isRefusal } from './refusals.ts'
import { Bank, Customer, DedicatedAccount, reader } from './shapes.ts'

/** A caller waits for the account: each of up to five calls of Paystack has this long. */
export const usualAccountTimeoutMs = 8_000

const readCustomer = reader('a customer', Customer)
const readAccount = reader('a virtual account', DedicatedAccount)
const readBank = reader('a bank', Bank)

type Parts = { api: PaystackApi; book: AccountBook; timeoutMs: number }

/**
 * Opens dedicated virtual accounts. Paystack takes no key of ours, but has one customer for each address, so the
 * address of the order, which is made from our id, is the key: before anything is made, Paystack is asked for the
 * customer and the account under it (docs/decisions/0077-whose-virtual-account.md).
 */
export function createPaystackAccounts({ api, book, timeoutMs }: Parts) {
  const get = (path: string) => api.get(path, timeoutMs)
  const post = (path: string, body: Record<string, unknown>) => api.send('POST', path, body, timeoutMs)

  const customerIn = (data: unknown, email: string): Customer => {
    const customer = readCustomer(data)
    if (customer.email.toLowerCase() !== email.toLowerCase())
      throw new PaystackUnclear('Paystack answers about another customer than asked')
    if (customer.domain != null && customer.domain !== api.mode)
      throw new PaystackUnclear('Paystack answers with a customer of its other mode')
    return customer
  }

  async function findCustomer(email: string): Promise<Customer | null> {
    const reply = await get(`/customer/${encodeURIComponent(email)}`)
    if (isNotFound(reply)) return null
    if (!reply.isDone) throw unclear('a question about a customer', reply)
    return customerIn(reply.data, email)
  }

  /**
   * Sends what makes a customer or an account. A refusal is believed also after a lost answer: it ends the call and
   * nothing else, and the next one asks first what was made.
   */
  async function order(path: string, body: Record<string, unknown>): Promise<Reply> {
    const reply = await post(path, body)
    if (isRefusal(reply)) throw new RailRefusal('Paystack opens no account for this holder')
    return reply
  }

  async function makeCustomer(email: string, holder: Holder): Promise<Customer> {
    const reply = await order('/customer', { email, ...holder })
    if (!reply.isDone) throw unclear('a new customer', reply)
    return customerIn(reply.data, email)
  }

  async function assign(email: string, customer: string, holder: Holder): Promise<unknown> {
    // In its test mode Paystack has one bank; in live it chooses one of those that it has switched on for us.
    const bank = api.mode === 'test' ? { preferred_bank: 'test-bank' } : {}
    const reply = await order('/dedicated_account', { customer, ...holder, ...bank })
    if (reply.isDone) return reply.data
    // It may have refused because the account is there by now.
    const found = await findCustomer(email)
    if (found?.dedicated_account == null) throw unclear('a new virtual account', reply)
    return found.dedicated_account
  }

  /** The code of a bank: that of our list, or else of Paystack's. */
  async function codeOf({ name, slug }: DedicatedAccount['bank']): Promise<string> {
    const listed = banksOf('NGN').find((bank) => bank.name.toLowerCase() === name.toLowerCase())
    if (listed) return listed.code
    const reply = await get('/bank?currency=NGN&pay_with_bank_transfer=true&perPage=100')
    if (!reply.isDone || !Array.isArray(reply.data)) throw unclear('the list of banks', reply)
    const code = reply.data.map(readBank).find((bank) => bank.slug === slug)?.code
    if (!code || !/^\d{3,6}$/.test(code)) throw new PaystackUnclear('Paystack names a bank whose code nobody knows')
    return code
  }

  return async function open({ holderId, email, currency, ...rest }: AccountOrder): Promise<OpenedAccount> {
    const holder = holderOf(rest)
    return book.alone(holderId, email, async ({ email: address, accountNumber: known }) => {
      const customer = (await findCustomer(address)) ?? (await makeCustomer(address, holder))
      const code = customer.customer_code
      const account = readAccount(customer.dedicated_account ?? (await assign(address, code, holder)))
      assertOpen(account, { code, currency, known })
      const bankCode = await codeOf(account.bank)
      await book.noteOpened(holderId, code, account.account_number)
      const { account_number: accountNumber, account_name: accountName } = account
      return { bankName: account.bank.name, bankCode, accountNumber, accountName }
    })
  }
}

type Expected = { code: string; currency: string; known: string | null }

/** Nothing is shown to a merchant that is not the open account of this very holder. */
function assertOpen(account: DedicatedAccount, { code, currency, known }: Expected): void {
  const isOurs = account.customer?.customer_code == null || account.customer.customer_code === code
  if (!isOurs) throw new PaystackUnclear('Paystack answers with the account of another customer')
  if (account.currency != null && account.currency !== currency)
    throw new PaystackUnclear('Paystack answers with an account in another currency')
  if (account.assigned === false || account.active === false)
    throw new PaystackUnclear('Paystack answers with an account that is closed')
  if (known !== null && known !== account.account_number)
    throw new PaystackUnclear('Paystack answers with another number than before')
}

type Holder = { first_name: string; last_name: string; phone: string }

/** What Paystack wants to know of a holder. Throws an `IncompleteHolder` that says what is missing. */
function holderOf({ name, phoneNumber }: Pick<AccountOrder, 'name' | 'phoneNumber'>): Holder {
  const [first = '', ...more] = name.trim().split(/\s+/u)
  const last = more.join(' ')
  const errors: FieldError[] = []
  if (last === '')
    errors.push({
      field: 'account_name',
      message: 'must have a first and a last name for the bank',
      type: 'value_error',
    })
  if (phoneNumber === null)
    errors.push({ field: 'phone_number', message: 'is required by the bank', type: 'value_error.missing' })
  if (errors.length > 0 || phoneNumber === null) throw new IncompleteHolder(errors)
  return { first_name: first, last_name: last, phone: phoneNumber }
}
