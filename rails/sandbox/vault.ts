import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/core/database.ts'
import { SimulatedCard, SimulatedCode, SimulatedPhone } from './book.ts'
import { brandOf } from '../../domain/checkout/card.ts'
import { maskNumber } from '../../domain/checkout/mobile-money.ts'
import type { FailureCode } from '../../domain/checkout/payment.ts'
import type { CardNumbers, RailVault } from '../rail.ts'

export type CardBehaviour = 'succeeds' | 'asks_for_3ds' | 'answers_late' | FailureCode

/**
 * The sandbox's documented card numbers (docs/reference.md, "Sandbox values"). Any other number is declined, as no bank
 * issued it.
 */
const cardBehaviours: Record<string, CardBehaviour> = {
  '4242424242424242': 'succeeds',
  '4000000000000002': 'card_declined',
  '4000000000009995': 'insufficient_funds',
  '4000000000000069': 'expired_card',
  '4000003800000446': 'asks_for_3ds',
  '4000000000000259': 'succeeds',
}
/** Tokens as a provider's field in the browser would give them out, and the documented card that each is of. */
const browserTokens: Record<string, string> = {
  tok_success: '4242424242424242',
  tok_card_declined: '4000000000000002',
  tok_insufficient_funds: '4000000000009995',
  tok_expired_card: '4000000000000069',
  tok_asks_for_3ds: '4000003800000446',
}
/** What the owner of a phone does, by the last digit of its number; those of other digits pay. */
const phoneOutcomes: Record<string, 'succeeded' | FailureCode> = {
  '1': 'succeeded',
  '2': 'insufficient_funds',
  '3': 'authentication_failed',
  '4': 'customer_rejected',
  '5': 'customer_timeout',
}
/** The one code that passes in the sandbox, for 3DS and for a wallet's voucher. */
const passingCode = '123456'

/** The simulated vault: it keeps what a card or a phone does and what may be shown of it, and forgets the number. */
export function createSimulatedVault({ orm }: Database): RailVault {
  async function keepCard(card: CardNumbers): Promise<string> {
    const token = `tok_${randomBytes(18).toString('base64url')}`
    await orm.em.fork().insert(SimulatedCard, {
      token,
      behaviour: cardBehaviours[card.number] ?? 'card_declined',
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
      const number = Object.hasOwn(browserTokens, token) ? browserTokens[token] : undefined
      return number === undefined ? null : keepCard({ number, exp_month: 12, exp_year: 2040, cvc: '123' })
    },
    async keepPhone(number) {
      const token = `mob_${randomBytes(18).toString('base64url')}`
      const outcome = phoneOutcomes[number.slice(-1)] ?? 'succeeded'
      await orm.em.fork().insert(SimulatedPhone, { token, outcome, maskedNumber: maskNumber(number) })
      return token
    },
    async keepCode(code) {
      const token = `otc_${randomBytes(18).toString('base64url')}`
      await orm.em.fork().insert(SimulatedCode, { token, passes: code === passingCode })
      return token
    },
  }
}
