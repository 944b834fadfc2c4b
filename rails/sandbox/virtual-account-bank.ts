import type { Database } from '../../db/core/database.ts'
import { SimulatedDeposit } from './book.ts'
import type { VirtualAccountBank } from '../virtual-account-bank.ts'

/** The sandbox's bank: what its book holds was put there by the test helper. */
export const createSimulatedBank = ({ orm }: Database): VirtualAccountBank => ({
  async lookUp(sessionId, accountNumber) {
    const found = await orm.em.fork().findOne(SimulatedDeposit, { sessionId, accountNumber })
    if (!found) return null
    const { amount, senderName, senderBank, senderAccountNumber, isFinal } = found
    return { accountNumber, amount, senderName, senderBank, senderAccountNumber, isFinal }
  },
})
