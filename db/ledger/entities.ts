import { LedgerBalance, LedgerEntry, LedgerSum, LedgerTransaction } from './tables.ts'

/** The double-entry books. */
export const ledgerEntities = [LedgerBalance, LedgerEntry, LedgerSum, LedgerTransaction]
