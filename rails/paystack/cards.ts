import type { CardDetails } from '../../db/checkout/payment-method.ts'
import type { Database } from '../../db/core/database.ts'
import type { Encrypter } from '../../db/core/encryption.ts'
import type { SavedCard } from '../rail.ts'
import { PaystackCard } from './book.ts'
import type { Transaction } from './shapes.ts'

/** The cards that Paystack has saved for this service, each with the email for which it may be charged. */
export type Cards = {
  /** Keeps the card of a payment, if Paystack charges it again; null where it does not. */
  keep(transaction: Transaction): Promise<SavedCard | null>
  /** The email of a saved card; null where Paystack has saved no such card for us. */
  emailOf(token: string): Promise<string | null>
}

export function createCards({ orm }: Database, encrypter: Encrypter): Cards {
  return {
    async keep(transaction) {
      const { authorization, customer } = transaction
      const card = cardDetailsOf(transaction)
      const token = authorization?.authorization_code
      if (!card || !token || authorization?.reusable !== true || !customer?.email) return null
      await orm.em
        .fork()
        .execute(`insert into paystack_cards (token, encrypted_email) values (?, ?) on conflict (token) do nothing`, [
          token,
          encrypter.encrypt(customer.email),
        ])
      return { token, card }
    },
    async emailOf(token) {
      const found = await orm.em.fork().findOne(PaystackCard, { token })
      return found && encrypter.decrypt(found.encryptedEmail)
    },
  }
}

/** What may be shown of a card; null where Paystack does not tell all of it. */
export function cardDetailsOf({ authorization }: Pick<Transaction, 'authorization'>): CardDetails | null {
  const { brand, last4, exp_month, exp_year, country_code: country } = authorization ?? {}
  const isWhole = /^\d{4}$/.test(last4 ?? '') && /^\d{1,2}$/.test(exp_month ?? '') && /^\d{4}$/.test(exp_year ?? '')
  if (!isWhole || !brand || !country || !/^[A-Z]{2}$/.test(country)) return null
  return {
    brand: brand.trim().toLowerCase().slice(0, 20),
    last4: last4 ?? '',
    exp_month: Number(exp_month),
    exp_year: Number(exp_year),
    country,
  }
}
