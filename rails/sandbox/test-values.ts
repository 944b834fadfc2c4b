import type { CryptoAsset } from '../../domain/checkout/crypto.ts'
import type { FailureCode } from '../../domain/checkout/payment.ts'
import type { Amount } from '../../domain/money.ts'
import { accountEndings } from '../../domain/platform/account-review.ts'
import { sandboxEndings } from '../../domain/payout/destination.ts'
import { heldInSandbox } from '../../domain/payout/risk.ts'
import { dayMs, hourMs } from '../../domain/duration.ts'

// Every value that chooses an outcome in the sandbox, in one place. The simulators, the vault, the test helpers of the
// API, the reference page and the tables of docs/ read them here. `means` is the text for readers. The values for
// reviews come from domain/, where their rules are.

/** What the owners of cards do after a charge of them has succeeded: they dispute it, or their bank warns of that. */
const disputedBehaviours = ['disputed', 'warned'] as const
type DisputedBehaviour = (typeof disputedBehaviours)[number]

/** What a card does once it was saved and is charged again; before that it succeeds. */
const laterBehaviours = ['declines_later', 'expires_later', 'asks_for_3ds_later', 'answers_late_later'] as const
type LaterBehaviour = (typeof laterBehaviours)[number]

/** What a card does when it is charged or saved. */
export type CardBehaviour =
  | 'succeeds'
  | 'asks_for_3ds'
  | 'answers_late'
  | FailureCode
  | LaterBehaviour
  | DisputedBehaviour

/** What a card of the sandbox does that was saved: its owner has confirmed it, unless it fails without them. */
export const savedBehaviour = (behaviour: CardBehaviour): CardBehaviour =>
  [...laterBehaviours, ...disputedBehaviours].find((known) => known === behaviour) ?? 'succeeds'

/** Whether a card succeeds at once while its owner is present. */
export const succeedsAtOnce = (behaviour: CardBehaviour): boolean => savedBehaviour(behaviour) === behaviour

/** Whether the owner of a card disputes its charges, or their bank warns of that. */
export const isDisputing = (behaviour: CardBehaviour): behaviour is DisputedBehaviour =>
  disputedBehaviours.some((known) => known === behaviour)

/** `token` is what a provider's field in the browser would give out for the card; null where none does. */
type TestCard = { number: string; token: string | null; behaviour: CardBehaviour; means: string }

/** The one code that passes, for 3DS and for a wallet's voucher. */
export const passingCode = '123456'

/** The one security code of a saved card that is wrong; every other passes. */
export const wrongSecurityCode = '000'

/** Any other number is declined, as no bank issued it. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', token: 'tok_success', behaviour: 'succeeds', means: 'succeeds' },
  {
    number: '4000000000000002',
    token: 'tok_card_declined',
    behaviour: 'card_declined',
    means: 'fails with `card_declined`',
  },
  {
    number: '4000000000009995',
    token: 'tok_insufficient_funds',
    behaviour: 'insufficient_funds',
    means: 'fails with `insufficient_funds`',
  },
  {
    number: '4000000000000069',
    token: 'tok_expired_card',
    behaviour: 'expired_card',
    means: 'fails with `expired_card`',
  },
  {
    number: '4000003800000446',
    token: 'tok_asks_for_3ds',
    behaviour: 'asks_for_3ds',
    means: `asks for a code; ${passingCode} passes, any other fails with \`authentication_failed\``,
  },
  {
    number: '4000000000000259',
    token: 'tok_disputed',
    behaviour: 'disputed',
    means: 'succeeds, and is disputed a second later',
  },
  {
    number: '4000000000005423',
    token: 'tok_warned',
    behaviour: 'warned',
    means: 'succeeds, and its bank warns of a dispute a second later; a full refund within 72 hours prevents it',
  },
  {
    number: '4000000000000341',
    token: 'tok_declines_later',
    behaviour: 'declines_later',
    means: 'succeeds; once it is saved, it fails with `insufficient_funds`',
  },
  {
    number: '4000000000001125',
    token: 'tok_expires_later',
    behaviour: 'expires_later',
    means: 'succeeds; once it is saved, it fails with `expired_card`, a permanent decline',
  },
  {
    number: '4000002760003184',
    token: 'tok_asks_for_3ds_later',
    behaviour: 'asks_for_3ds_later',
    means:
      'succeeds; once it is saved, it wants a code: a renewal fails with `authentication_failed`, a buyer is asked',
  },
  {
    number: '4000000000001133',
    token: 'tok_answers_late_later',
    behaviour: 'answers_late_later',
    means: 'succeeds; once it is saved, it is answered late: it stays `processing`',
  },
]

/** How long a sandbox dispute takes evidence, and how long a warning waits for a refund, in milliseconds. */
export const responseTimeMs = 14 * dayMs
export const warningMs = 72 * hourMs
/** How long after a charge the owner of a test card disputes it, in milliseconds. */
export const disputedAfterMs = 1_000

/** The texts that decide a dispute at once when they are submitted, in any field of the evidence. */
export const winningEvidence = 'winning_evidence'
export const losingEvidence = 'losing_evidence'
export const testEvidence: readonly { text: string; means: string }[] = [
  { text: winningEvidence, means: 'the dispute is won at once' },
  { text: losingEvidence, means: 'the dispute is lost at once' },
]

/** The number of a card that does this. */
export function cardThat(behaviour: CardBehaviour): string {
  const card = testCards.find((each) => each.behaviour === behaviour)
  if (!card) throw new Error(`no test card: ${behaviour}`)
  return card.number
}

export type PhoneOutcome = 'succeeded' | FailureCode

/** What the owner of a phone does, by the last digit of its number; those of other digits pay. */
export const testPhones: readonly { lastDigit: string; outcome: PhoneOutcome; means: string }[] = [
  { lastDigit: '1', outcome: 'succeeded', means: 'pays' },
  { lastDigit: '2', outcome: 'insufficient_funds', means: 'fails with `insufficient_funds`' },
  { lastDigit: '3', outcome: 'authentication_failed', means: 'a wrong PIN: fails with `authentication_failed`' },
  { lastDigit: '4', outcome: 'customer_rejected', means: 'fails with `customer_rejected`' },
  {
    lastDigit: '5',
    outcome: 'customer_timeout',
    means: 'never answers: fails with `customer_timeout` after 5 minutes',
  },
]

/** The last digit of a phone whose owner does this. */
export function phoneThat(outcome: PhoneOutcome): string {
  const phone = testPhones.find((each) => each.outcome === outcome)
  if (!phone) throw new Error(`no test phone: ${outcome}`)
  return phone.lastDigit
}

/** The wallet that asks for a voucher's code of its own before it asks on the phone. */
export const voucherProvider = 'vodafone'

export type PayoutBehaviour = { outcome: 'completed' | 'failed' | 'never'; afterMs: number }

/** What becomes of a payout, by the last four characters of the account number, phone number or wallet. */
export const testPayouts: readonly (PayoutBehaviour & { ending: string; means: string })[] = [
  { ending: '0001', outcome: 'completed', afterMs: 0, means: 'completes at once' },
  { ending: '0002', outcome: 'failed', afterMs: 0, means: 'fails' },
  { ending: '0003', outcome: 'never', afterMs: 0, means: 'never answers' },
]
/** What becomes of all other payouts. */
export const usualPayout: PayoutBehaviour = { outcome: 'completed', afterMs: 1_500 }

/** What the sandbox decides about a destination, by the last four characters of its number; it approves all others. */
export const testDestinations: readonly { ending: string; means: string }[] = [
  { ending: sandboxEndings.rejected, means: 'rejected' },
  { ending: sandboxEndings.undecided, means: 'stays in review' },
]

/**
 * What the sandbox decides about a connected account, by the last four characters of its registration number or of its
 * representative's ID number; it approves all others.
 */
export const testAccounts: readonly { ending: string; means: string }[] = [
  { ending: accountEndings.rejected, means: 'rejected' },
  { ending: accountEndings.undecided, means: 'stays in review' },
  { ending: accountEndings.asked, means: 'asked for this number again' },
]

/** A refund or a conversion with this `reference` is never answered, so that waiting can be tried out. */
export const unansweredReference = 'sandbox_no_answer'

/** The outcome that a `reference` chooses, and the resource it works for. */
export const testReferences: readonly { reference: string; of: string; means: string }[] = [
  { reference: unansweredReference, of: 'refund, conversion', means: 'is never answered: it stays `processing`' },
  { reference: heldInSandbox, of: 'payout', means: 'is held for a review' },
]

/** Dollars for one coin. They never move; a dollar coin is a dollar. */
export const coinPrices: Record<CryptoAsset, Amount> = {
  BNB_BEP20: '612.40',
  ETH_ETH: '3120.75',
  SOL_SOL: '148.32',
  USDC_BEP20: '1',
  USDT_BEP20: '1',
  USDT_ERC20: '1',
  USDT_SOL: '1',
  USDT_TRC20: '1',
}

/** Who sends a bank transfer of a test helper, where the call does not say. */
export const testSender = { name: 'Ada Buyer', bank: 'Sandbox Bank', accountNumber: '0123456789' }

/** Who holds an account at a bank: the first name by the sixth digit from the end, the last name by the fifth. */
export const testHolders = {
  firstNames: ['Ada', 'Chidi', 'Efe', 'Ifeoma', 'Kunle', 'Ngozi', 'Sade', 'Tunde', 'Uche', 'Zainab'],
  lastNames: ['Adeyemi', 'Bello', 'Danjuma', 'Eze', 'Ibrahim', 'Lawal', 'Nwosu', 'Okafor', 'Sanni', 'Yusuf'],
} as const
