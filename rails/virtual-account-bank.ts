import type { Amount } from '../domain/money.ts'
import type { FieldError } from '../domain/refusal.ts'

/** A transfer as the bank has it in its books; what it says of the sender is shown as the payer's details. */
export type BankTransfer = {
  accountNumber: string
  amount: Amount
  /** Each null where the bank does not tell. */
  senderName: string | null
  senderBank: string | null
  senderAccountNumber: string | null
  /** Whether the transfer is final; until then the bank may still take it back. */
  isFinal: boolean
}

/** Whose account the bank is to open. */
export type AccountOrder = {
  /** Our id of the customer, or of the account for its own: the same id again is the same bank account. */
  holderId: string
  currency: 'NGN'
  /** The name that senders see; a bank may put its own words before it. */
  name: string
  /** In the form of E.164; null where none is known. */
  phoneNumber: string | null
  /** An address of ours for what the bank writes about this account. It is nobody's: no buyer gets that mail. */
  email: string
}

/** An account as the bank has opened it. */
export type OpenedAccount = {
  bankName: string
  /** The code of the bank in its country's clearing, as in the list of banks. */
  bankCode: string
  accountNumber: string
  accountName: string
}

/** The bank needs more about the holder than the order says: nothing was sent. `errors` are about the API's fields. */
export class IncompleteHolder extends Error {
  override readonly name = 'IncompleteHolder'
  readonly errors: FieldError[]

  constructor(errors: FieldError[]) {
    super('the bank needs more about the holder of the account')
    this.errors = errors
  }
}

/** The bank whose account numbers customers have. */
export type VirtualAccountBank = {
  /**
   * Opens an account. The same order again gives the same account, also after an answer that was lost. Throws an
   * `IncompleteHolder`, or a `RailRefusal` if the bank refuses the holder; after every other error nobody knows if the
   * account is open, and the order is repeated.
   */
  open(order: AccountOrder): Promise<OpenedAccount>
  /**
   * The transfer with this interbank session id into this account; null while the bank knows of none. Asking again is
   * harmless.
   */
  lookUp(sessionId: string, accountNumber: string): Promise<BankTransfer | null>
}
