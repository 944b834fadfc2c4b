import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { PaystackUnclear } from './api.ts'

// The parts of Paystack's answers that this rail reads. Numbers have become texts when the JSON was read.

const optional = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
const text = (maxLength = 500) => Type.String({ maxLength })
/** A number of Paystack's, unsigned and of 64 bits. */
const Id = Type.String({ pattern: '^\\d{1,20}$' })
/** An amount in hundredths. */
const Minor = Type.String({ pattern: '^\\d{1,20}$' })
const Word = Type.String({ minLength: 1, maxLength: 64 })

const Authorization = Type.Object({
  authorization_code: optional(text(64)),
  last4: optional(text(10)),
  exp_month: optional(text(4)),
  exp_year: optional(text(6)),
  channel: optional(text(64)),
  country_code: optional(text(10)),
  brand: optional(text(64)),
  reusable: optional(Type.Boolean()),
  sender_name: optional(text()),
  sender_bank: optional(text()),
  sender_bank_account_number: optional(text(64)),
  receiver_bank_account_number: optional(text(64)),
})

/** What Paystack says of all money that it has moved. */
const moved = { id: Id, status: Word, amount: Minor, currency: Word, domain: optional(Word) }

/** A transaction, as `GET /transaction/verify/{reference}` has it. */
export const Transaction = Type.Object({
  ...moved,
  reference: Word,
  channel: optional(text(64)),
  gateway_response: optional(text()),
  message: optional(text()),
  authorization: optional(Authorization),
  customer: optional(Type.Object({ email: optional(text()) })),
})
export type Transaction = Static<typeof Transaction>

/** The answer to `POST /charge`, to the codes that follow it, and of `GET /charge/{reference}`. */
export const Charge = Type.Object({
  status: Word,
  reference: Word,
  amount: optional(Minor),
  currency: optional(Word),
  domain: optional(Word),
  gateway_response: optional(text()),
  message: optional(text()),
  url: optional(text(2000)),
  account_number: optional(Type.String({ pattern: '^[\\d\\w-]{1,34}$' })),
  account_name: optional(text()),
  account_expires_at: optional(text(64)),
  bank: optional(Type.Union([Type.Object({ name: text() }), text()])),
})
export type Charge = Static<typeof Charge>

/** A page of Paystack's for the buyer: to enter a card, or for the bank of a saved one. It has no status. */
export const Page = Type.Object({
  authorization_url: Type.String({ pattern: '^https://', maxLength: 2000 }),
  reference: Word,
})

/** A transfer of ours to somebody. */
export const Transfer = Type.Object({
  ...moved,
  reference: Word,
  transfer_code: Word,
})
export type Transfer = Static<typeof Transfer>

/** Who gets transfers; the code stands for the account. */
export const Recipient = Type.Object({ recipient_code: Word })

export const Account = Type.Object({ account_number: Type.String({ maxLength: 34 }), account_name: text() })

/** A customer of ours at Paystack, who stands for the holder of one virtual account. */
export const Customer = Type.Object({
  customer_code: Word,
  email: text(),
  domain: optional(Word),
  dedicated_account: optional(Type.Unknown()),
})
export type Customer = Static<typeof Customer>

/** A virtual account. */
export const DedicatedAccount = Type.Object({
  account_number: Type.String({ pattern: '^\\d{10}$' }),
  account_name: Type.String({ minLength: 1, maxLength: 255 }),
  bank: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }), slug: Word }),
  currency: optional(Word),
  assigned: optional(Type.Boolean()),
  active: optional(Type.Boolean()),
  customer: optional(Type.Object({ customer_code: optional(Word) })),
})
export type DedicatedAccount = Static<typeof DedicatedAccount>

/** A bank of Paystack's list; `code` is the bank's in its country's clearing. */
export const Bank = Type.Object({ slug: text(), code: text() })

/** A refund. Its transaction is a number in lists, and an object in the answer to a new one. */
export const Refund = Type.Object({
  ...moved,
  merchant_note: optional(text(2000)),
  transaction: optional(Type.Union([Id, Type.Object({ id: Id })])),
})
export type Refund = Static<typeof Refund>

/** A dispute. Most of it may be null, and its currency may be only that of its transaction. */
export const Dispute = Type.Object({
  id: Id,
  status: Word,
  currency: optional(Word),
  domain: optional(Word),
  resolution: optional(text(64)),
  category: optional(text(64)),
  refund_amount: optional(Minor),
  dueAt: optional(text(64)),
  resolvedAt: optional(text(64)),
  createdAt: optional(text(64)),
  transaction: Type.Object({ id: Id, reference: Word, amount: Minor, currency: optional(Word) }),
})
export type Dispute = Static<typeof Dispute>

/** When something was made; Paystack's lists write it in two ways. */
const made = { created_at: optional(text(64)), createdAt: optional(text(64)) }

/** A transaction in Paystack's list. */
export const ListedTransaction = Type.Object({
  ...moved,
  ...made,
  // Others may use the same account, with references of their own.
  reference: text(),
  channel: optional(text(64)),
  paid_at: optional(text(64)),
})
export type ListedTransaction = Static<typeof ListedTransaction>

/** A transaction of the list, asked about by itself. Others may have made it, so what it says may have any form. */
export const ListedDeposit = Type.Object({
  ...ListedTransaction.properties,
  authorization: Type.Optional(Type.Unknown()),
})

/** A refund with its time. */
export const ListedRefund = Type.Object({ ...Refund.properties, ...made })
export type ListedRefund = Static<typeof ListedRefund>

/** A transfer in Paystack's list, of which an example has no reference. */
export const ListedTransfer = Type.Object({ ...moved, ...made, reference: optional(text()) })
export type ListedTransfer = Static<typeof ListedTransfer>

/** A dispute in Paystack's list. Others may use the same account, with references of their own. */
export const ListedDispute = Type.Object({
  ...Dispute.properties,
  created_at: optional(text(64)),
  transaction: Type.Object({ id: Id, reference: text(), amount: Minor, currency: optional(Word) }),
})
export type ListedDispute = Static<typeof ListedDispute>

export const UploadTarget = Type.Object({ signedUrl: text(4000), fileName: Word })

/**
 * Reads an answer by its shape. What does not fit is an unknown outcome; the error names the first field that does not
 * fit, and not its value.
 */
export function reader<T extends TSchema>(what: string, shape: T): (value: unknown) => Static<T> {
  const validator = Compile(shape)
  return (value) => {
    if (validator.Check(value)) return value as Static<T>
    const [first] = validator.Errors(value)
    throw new PaystackUnclear(`Paystack's answer about ${what} does not fit its description at ${where(first)}`)
  }
}

const where = (error: unknown): string => {
  const { instancePath } = (error ?? {}) as { instancePath?: unknown }
  return typeof instancePath === 'string' && instancePath !== '' ? instancePath : 'its top'
}
