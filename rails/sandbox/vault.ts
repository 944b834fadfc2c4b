import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/core/database.ts'
import { SimulatedCard, SimulatedCode, SimulatedPhone } from './book.ts'
import { brandOf } from '../../domain/checkout/card.ts'
import { maskNumber } from '../../domain/checkout/mobile-money.ts'
import type { CardNumbers, RailVault } from '../rail.ts'
import { passingCode, testCards, testPhones, wrongSecurityCode } from './test-values.ts'

/** The simulated vault: it keeps what a card or a phone does and what may be shown of it, and forgets the number. */
export function createSimulatedVault({ orm }: Database): RailVault {
  async function keepCard(card: CardNumbers): Promise<string> {
    const token = `tok_${randomBytes(18).toString('base64url')}`
    await orm.em.fork().insert(SimulatedCard, {
      token,
      behaviour: testCards.find(({ number }) => number === card.number)?.behaviour ?? 'card_declined',
      brand: brandOf(card.number),
      lastFour: card.number.slice(-4),
      expMonth: card.exp_month,
      expYear: card.exp_year,
      country: card.number.startsWith('400000380') ? 'AE' : 'US',
    })
    return token
  }
  return {
    keepCard,
    async keepToken(token) {
      const number = testCards.find((card) => card.token === token)?.number
      return number === undefined ? null : keepCard({ number, exp_month: 12, exp_year: 2040, cvc: '123' })
    },
    async keepPhone(number) {
      const token = `mob_${randomBytes(18).toString('base64url')}`
      const outcome = testPhones.find(({ lastDigit }) => number.endsWith(lastDigit))?.outcome ?? 'succeeded'
      await orm.em.fork().insert(SimulatedPhone, { token, outcome, maskedNumber: maskNumber(number) })
      return token
    },
    async keepCode(code) {
      const token = `otc_${randomBytes(18).toString('base64url')}`
      await orm.em.fork().insert(SimulatedCode, { token, passes: code === passingCode })
      return token
    },
    async keepSecurityCode(code) {
      const token = `cvc_${randomBytes(18).toString('base64url')}`
      await orm.em.fork().insert(SimulatedCode, { token, passes: code !== wrongSecurityCode })
      return token
    },
  }
}
