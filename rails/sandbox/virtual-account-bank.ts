import { randomInt } from 'node:crypto'
import type { Database } from '../../db/core/database.ts'
import { nubanOf } from '../../domain/nuban.ts'
import { SimulatedDeposit } from './book.ts'
import type { VirtualAccountBank } from '../virtual-account-bank.ts'

/** The bank of the sandbox; no real bank in Nigeria has this code. */
const sandboxBank = { bankName: 'Sandbox Bank', bankCode: '999' }
const serialsMax = 1_000_000_000

/**
 * The sandbox's bank. What its book holds was put there by the test helper. It keeps no book of accounts: one that was
 * not stored was never there, so it gives a random number each time, and another one where that number is taken.
 */
export const createSimulatedBank = ({ orm }: Database): VirtualAccountBank => ({
  async open({ name: accountName }) {
    return { ...sandboxBank, accountName, accountNumber: nubanOf(sandboxBank.bankCode, randomInt(serialsMax)) }
  },
  async lookUp(sessionId, accountNumber) {
    const found = await orm.em.fork().findOne(SimulatedDeposit, { sessionId, accountNumber })
    if (!found) return null
    const { amount, senderName, senderBank, senderAccountNumber, isFinal } = found
    return { accountNumber, amount, senderName, senderBank, senderAccountNumber, isFinal }
  },
})
