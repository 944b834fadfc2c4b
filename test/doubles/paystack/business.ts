import { type ChargeBook, chargeOf } from './charges.ts'
import { pageOf, within } from './lists.ts'
import { done, failed, type Route } from './server.ts'
import { type TransferBook, transferOf } from './transfers.ts'

export type BusinessBook = {
  /** The currencies that the business may use, beside naira. */
  currencies: string[]
  /** The banks that open virtual accounts for it. */
  banks: string[]
  /** The most transactions and transfers on a page, however many are asked for. */
  pageMax: number
}

/** What Paystack's API says about the business itself, and its lists: "Transfers control", "Transactions". */
export function businessRoutes(book: BusinessBook & ChargeBook & TransferBook): Route[] {
  const balances = () => [
    { currency: 'NGN', balance: book.balance },
    ...book.currencies.map((currency) => ({ currency, balance: 0n })),
  ]
  const banks = () =>
    book.banks.map((bank, index) => ({
      provider_slug: bank.toLowerCase().replaceAll(' ', '-'),
      bank_id: index + 1,
      bank_name: bank,
      id: index + 1,
    }))
  /** Paystack shows the newest first in these lists. */
  const listed = <T extends { createdAt: number }>(all: Map<string, T>, query: URLSearchParams) =>
    pageOf(within(all.values(), query).toReversed(), query, book.pageMax)
  return [
    { method: 'GET', path: /^\/balance$/, answer: () => done(balances(), 'Balances retrieved') },
    {
      method: 'GET',
      path: /^\/dedicated_account\/available_providers$/,
      answer: () => done(banks(), 'Dedicated account providers retrieved'),
    },
    {
      method: 'GET',
      path: /^\/transaction$/,
      answer: ({ query }) => {
        const found = listed(book.transactions, query)
        return done(
          // Whether this list says where a transfer went is not known.
          found.map((made) => ({ id: made.id, ...chargeOf(made), authorization: {} })),
          'Transactions retrieved',
        )
      },
    },
    {
      method: 'GET',
      path: /^\/transaction\/(\d+)$/,
      answer: (_, [id]) => {
        const made = [...book.transactions.values()].find((one) => String(one.id) === id)
        if (!made) return failed(404, 'Transaction not found', 'transaction_not_found')
        return done({ id: made.id, ...chargeOf(made) }, 'Transaction retrieved')
      },
    },
    {
      method: 'GET',
      path: /^\/transfer$/,
      answer: ({ query }) => done(listed(book.transfers, query).map(transferOf)),
    },
  ]
}
