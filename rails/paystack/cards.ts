import type { MethodDetails } from '../../db/checkout/payment.ts'
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

type Charged = Pick<Transaction, 'authorization'>

/** What Paystack tells of the card of a transaction; null for each part that it does not tell. */
function toldOf({ authorization }: Charged): { [Part in keyof CardDetails]: CardDetails[Part] | null } {
  const { brand, last4, exp_month, exp_year, country_code: country } = authorization ?? {}
  const expMonth = inForm(exp_month, /^\d{1,2}$/)
  const expYear = inForm(exp_year, /^\d{4}$/)
  return {
    brand: brand?.trim().toLowerCase().slice(0, 20) || null,
    last4: inForm(last4, /^\d{4}$/),
    exp_month: expMonth === null ? null : Number(expMonth),
    exp_year: expYear === null ? null : Number(expYear),
    country: inForm(country, /^[A-Z]{2}$/),
  }
}

const inForm = (text: string | null | undefined, form: RegExp): string | null =>
  text != null && form.test(text) ? text : null

/** What is kept of a saved card; null where Paystack does not tell all of it. */
function cardDetailsOf(transaction: Charged): CardDetails | null {
  const { brand, last4, exp_month, exp_year, country } = toldOf(transaction)
  const isWhole = brand !== null && last4 !== null && exp_month !== null && exp_year !== null && country !== null
  return isWhole ? { brand, last4, exp_month, exp_year, country } : null
}

/**
 * What a payment shows of its card; null where Paystack tells nothing of it. It never tells whether the owner was
 * verified by 3-D Secure.
 */
export function methodDetailsOf(transaction: Charged): MethodDetails | null {
  const told = toldOf(transaction)
  return Object.values(told).every((part) => part === null) ? null : { ...told, three_d_secure: null }
}
