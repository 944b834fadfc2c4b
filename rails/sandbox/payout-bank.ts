import type { AccountResolver } from '../payout-bank.ts'
import { testHolders } from './test-values.ts'

/** The sandbox's bank knows every account, and its holder by two digits of the number: always the same one. */
export const createSimulatedPayoutBank = (): AccountResolver => ({
  async resolveAccount({ accountNumber }) {
    const { firstNames, lastNames } = testHolders
    const [first, last] = [Number(accountNumber.at(-6)), Number(accountNumber.at(-5))]
    return `${firstNames[first] ?? firstNames[0]} ${lastNames[last] ?? lastNames[0]}`
  },
})
