import type { Amount } from '../domain/money.ts'

/** A transfer as the bank has it in its books; what it says of the sender is shown as the payer's details. */
export type BankTransfer = {
  accountNumber: string
  amount: Amount
  /** Each null where the bank does not tell. */
  senderName: string | null
  senderBank: string | null
  senderAccountNumber: string | null
  /** Whether the money is there for good; until then the bank may still take it back. */
  isFinal: boolean
}

/** The bank whose account numbers customers have. */
export type VirtualAccountBank = {
  /**
   * The transfer with this interbank session id into this account; null while the bank knows of none. Asking again is
   * harmless.
   */
  lookUp(sessionId: string, accountNumber: string): Promise<BankTransfer | null>
}
