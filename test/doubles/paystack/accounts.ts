import { type Answer, type Body, done, failed, type Route } from './server.ts'

type Account = { id: bigint; number: string; name: string; bank: BankOfAccount; currency: string; active: boolean }
type Customer = { id: bigint; code: string; email: string; domain: 'live' | 'test'; holder: Body; accounts: Account[] }
type BankOfAccount = { name: string; id: number; slug: string }

export type AccountBook = {
  /** By their email; two with one email cannot be. */
  customers: Map<string, Customer>
  /** The bank of the next accounts. */
  bank: BankOfAccount
  /** The currency of the next accounts. */
  currency: string
  /** The mode of the next customers. */
  domain: 'live' | 'test'
  /** Whether a customer's second account is refused, and how many answers still show none. */
  refusesSecond: boolean
  hiddenFor: number
  nextId: () => bigint
}

export const wema: BankOfAccount = { name: 'Wema Bank', id: 20, slug: 'wema-bank' }
export const titan: BankOfAccount = { name: 'Paystack-Titan', id: 629, slug: 'titan-paystack' }

/** What the list of banks has of those that take transfers. */
const listed = [
  { id: 20, name: 'Wema Bank', slug: 'wema-bank', code: '035' },
  { id: 629, name: 'Titan Paystack', slug: 'titan-paystack', code: '100039' },
  { id: 7, name: 'A Bank Without Code', slug: 'codeless-bank', code: '' },
]

/**
 * Customers and dedicated accounts of Paystack's API, by its pages "Customers" and "Dedicated Virtual Account" and the
 * guide of that name. A customer with a known email is answered with the one that is there. An account that is ordered
 * twice is made twice, as customers may have several.
 */
export function accountRoutes(book: AccountBook): Route[] {
  const byCode = (code: unknown) => [...book.customers.values()].find((one) => one.code === code)

  function addCustomer({ body }: { body: Body }): Answer {
    const { email, ...holder } = body
    if (typeof email !== 'string' || !/^[^\s@]+@[^\s@]+$/.test(email))
      return failed(400, 'Email is invalid', 'invalid_params')
    if (/\d/.test(String(holder['first_name']))) return failed(400, 'First name is invalid', 'invalid_params')
    const id = book.nextId()
    const { domain } = book
    const made = book.customers.get(email) ?? { id, code: `CUS_${id}`, email, domain, holder, accounts: [] }
    book.customers.set(email, made)
    return done(customerOf(made), 'Customer created')
  }

  function readCustomer(email: string): Answer {
    const found = book.customers.get(email)
    if (found && book.hiddenFor > 0) {
      book.hiddenFor -= 1
      return done(customerOf({ ...found, accounts: [] }))
    }
    return found ? done(customerOf(found)) : failed(404, 'Customer not found', 'customer_not_found')
  }

  function addAccount({ body }: { body: Body }): Answer {
    const owner = byCode(body['customer'])
    if (!owner) return failed(400, 'Customer is invalid', 'invalid_params')
    const { first_name, last_name, phone } = owner.holder
    if (!first_name || !last_name || !phone) return failed(400, 'Customer phone number is required', 'missing_params')
    if (body['preferred_bank'] !== undefined && owner.domain === 'live')
      return failed(400, 'Bank is invalid', 'invalid_params')
    if (book.refusesSecond && owner.accounts.length > 0)
      return failed(400, 'Customer already has a dedicated account', 'dedicated_account_exists')
    const id = book.nextId()
    const number = String(9_930_000_000n + (id % 69_999_999n))
    const name = `KAROKART / ${String(first_name)} ${String(last_name)}`.toUpperCase()
    owner.accounts.push({ id, number, name, bank: book.bank, currency: book.currency, active: true })
    return done(accountOf(owner, owner.accounts.at(-1)!), 'NUBAN successfully created')
  }

  return [
    { method: 'POST', path: /^\/customer$/, answer: addCustomer },
    { method: 'GET', path: /^\/customer\/([^/]+)$/, answer: (_, [email = '']) => readCustomer(email) },
    { method: 'POST', path: /^\/dedicated_account$/, answer: addAccount },
    { method: 'GET', path: /^\/bank$/, answer: () => done(listed, 'Banks retrieved') },
  ]
}

const accountOf = (owner: Customer, { id, number, name, bank, currency, active }: Account) => ({
  id,
  bank,
  account_name: name,
  account_number: number,
  assigned: true,
  active,
  currency,
  metadata: null,
  assignment: { assignee_id: owner.id, assignee_type: 'Customer', account_type: 'PAY-WITH-TRANSFER-RECURRING' },
  customer: { id: owner.id, email: owner.email, customer_code: owner.code, risk_action: 'default' },
})

/** A customer as answers show it. The account that it shows is the first. */
function customerOf(made: Customer) {
  const [first] = made.accounts
  return {
    id: made.id,
    email: made.email,
    customer_code: made.code,
    domain: made.domain,
    integration: 100_043,
    ...made.holder,
    dedicated_account: first ? accountOf(made, first) : null,
    identified: false,
  }
}

export const accountEvents = (book: AccountBook) => ({
  /** All accounts that were opened for customers whose email begins so. */
  accountsOf: (holderId: string) =>
    [...book.customers.values()].filter(({ email }) => email.startsWith(`${holderId}@`)).flatMap((one) => one.accounts),
})
