/** An account at a bank, by the bank's code and the account's number. */
export type BankAccount = { currency: string; bankCode: string; accountNumber: string }

/** Asks a bank for the holder of an account, before money is sent to it. */
export type AccountResolver = {
  /** The holder's name; null when the bank knows no such account. It is asked inside of a call: within 5 seconds. */
  resolveAccount(account: BankAccount): Promise<string | null>
}
