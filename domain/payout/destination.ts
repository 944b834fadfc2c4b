import { assertMove, type Moves } from '../move.ts'
import type { CryptoAsset } from '../checkout/crypto.ts'
import type { Currency } from '../currency.ts'
import { alreadyDecided, type Decision } from '../review.ts'

export const destinationTypes = ['bank_account', 'mobile_money', 'crypto_wallet'] as const
export type DestinationType = (typeof destinationTypes)[number]

/** The assets that wallets are paid in; each is worth a dollar. */
export const stablecoins = [
  'USDC_BEP20',
  'USDT_BEP20',
  'USDT_ERC20',
  'USDT_SOL',
  'USDT_TRC20',
] as const satisfies CryptoAsset[]
export type Stablecoin = (typeof stablecoins)[number]

/** What a destination is paid in: a stablecoin counts as a currency. */
export type PayoutCurrency = Currency | Stablecoin

export const destinationStatuses = ['pending_review', 'approved', 'rejected'] as const
export type DestinationStatus = (typeof destinationStatuses)[number]

/**
 * How bank payouts in these two currencies travel; no other currency has a choice (docs/contract/payout.md, "Payout
 * destinations").
 */
export const schemes = { USD: ['ach', 'wire'], CAD: ['eft', 'wire'] } as const

/** Every legal move of a destination. */
export const destinationMoves: Moves<DestinationStatus> = {
  // A destination that is restated during its review needs a new review.
  pending_review: ['pending_review', 'approved', 'rejected'],
  approved: ['pending_review'],
  rejected: [],
}

/**
 * Moves a destination to another status (docs/contract/payout.md, "Destination status"). A rejected one stays rejected.
 */
export function moveDestination(destination: { status: DestinationStatus }, to: DestinationStatus): void {
  assertMove('destination', destinationMoves, destination.status, to)
  destination.status = to
}

/** Whether money may be sent to the destination now. */
export const isUsable = ({ status, deactivatedAt }: { status: DestinationStatus; deactivatedAt: Date | null }) =>
  status === 'approved' && deactivatedAt === null

type Standing = { status: DestinationStatus; deactivatedAt: Date | null; currency: PayoutCurrency }

/**
 * Whether staff have not decided yet about where the destination's money goes, so that it may be usable later for what
 * is paid in this currency. A payout keeps its currency, so a destination that has another one can only fail it.
 */
export const isInReview = ({ status, deactivatedAt, currency }: Standing, paid: { currency: PayoutCurrency }) =>
  status === 'pending_review' && deactivatedAt === null && currency === paid.currency

/** The entry code where a payout cannot be approved yet, as its destination is in review. */
export const destinationInReview = 'destination_in_review'

type Numbers = Record<'accountNumber' | 'phoneNumber' | 'walletAddress', string | null>

/** The last four characters, by which people recognize an account, phone or wallet; null where it has no number. */
export const lastFourOf = ({ accountNumber, phoneNumber, walletAddress }: Numbers): string | null =>
  (accountNumber ?? phoneNumber ?? walletAddress)?.slice(-4) ?? null

const sandboxDecidesAfterMs = 5_000

/** In the sandbox a number that ends so is left to a reviewer, or is rejected; every other one is approved. */
export const sandboxEndings = { undecided: '0008', rejected: '0009' } as const

/**
 * What the sandbox decides by itself about a number, and when, for a statement made at `at` (ms since the epoch); null
 * leaves it to a reviewer (docs/contract/payout.md, "Reviews").
 */
export function sandboxDecision(number: string, at: number): { decision: Decision; at: number } | null {
  if (number.endsWith(sandboxEndings.undecided)) return null
  return { decision: number.endsWith(sandboxEndings.rejected) ? 'reject' : 'approve', at: at + sandboxDecidesAfterMs }
}

type Reviewed = { statement: number; status: DestinationStatus | 'deactivated' }

/**
 * Why a decision about a statement is refused: the opposite decision was made, or the statement is no longer the
 * current one. Null: it may be made.
 */
export function decisionError(standing: Reviewed, statement: number, decision: Decision): string | null {
  if (standing.statement > statement) return 'the destination has been restated'
  const opposite = decision === 'approve' ? 'rejected' : 'approved'
  return standing.statement === statement && standing.status === opposite ? alreadyDecided : null
}
