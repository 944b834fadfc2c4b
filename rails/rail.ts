import type { CardDetails } from '../db/checkout/payment-method.ts'
import type { MethodDetails } from '../db/checkout/payment.ts'
import type { Environment } from '../domain/access/scope.ts'
import type { ConversionEnd } from '../domain/balance/conversion.ts'
import type { Corridor } from '../domain/corridor.ts'
import type { CryptoAsset } from '../domain/checkout/crypto.ts'
import type { Currency } from '../domain/currency.ts'
import type { Amount } from '../domain/money.ts'
import type { FailureCode, NextAction } from '../domain/checkout/payment.ts'

/** Money that arrived, in the order's currency, told apart by the bank's or the network's own id for it. */
export type Deposit = { id: string; amount: Amount }

/** What a rail says about a charge. `received` and `deposits` are totals so far, so hearing it twice is harmless. */
export type RailAnswer = (
  | {
      status: 'succeeded' | 'underpaid'
      received: Amount
      deposits: Deposit[]
      details: MethodDetails | null
      /** What the buyer has to do about what is missing, where that has changed. */
      nextAction?: NextAction
    }
  | { status: 'failed'; failureCode: FailureCode }
  | { status: 'requires_action'; nextAction: NextAction }
  | { status: 'processing'; details?: MethodDetails }
  /** Nothing was taken under this id, and nothing will be: the answer to `cancelCharge` alone. */
  | { status: 'canceled' }
  /** The rail has never seen an order with this id. */
  | { status: 'not_found' }
) & {
  /**
   * When it is worth asking, in milliseconds since the epoch, where the rail does not tell by itself in time. A rail
   * names moments further and further apart: each is a step of the payment's process.
   */
  newsDueAt?: number
}

/**
 * What a provider wants of the buyer. Both are null only where there is none: in payments of the sandbox's test helper.
 * They are read from the rows for each order, and a rail says neither in an error.
 */
export type Buyer = {
  email: string | null
  /** The hosted page of the session, for a buyer who comes back from another page. It holds the client secret. */
  returnUrl: string | null
}

/**
 * What is asked of a rail. The payment's id is the rail's key: the same order again is the same charge. Every order
 * names the environment of its row, and a rail takes those of its own environment alone: another's does not compile.
 */
export type ChargeOrder<E extends Environment = Environment> = Buyer & {
  environment: E
  paymentId: string
  corridor: Corridor
  amount: Amount
  currency: Currency
  /** The rail vault's token for a card or a phone number; null where the buyer sends the money. */
  token: string | null
  /** What the statement of a card is to show, 5 to 22 characters; null: as the rail has it. */
  statementText: string | null
  /** Whose wallet a phone number is of; null but for mobile money. */
  provider: string | null
  /** What the buyer pays in; null but for crypto. */
  asset: CryptoAsset | null
  /** Until when money for this charge is accepted, in milliseconds since the epoch. */
  listensUntil: number
  /** When the buyer should have paid, in milliseconds since the epoch. */
  expiresAt: number
}

/** A card to be verified for later charges, without one now. The setup's id is the rail's key. */
export type SetupOrder<E extends Environment = Environment> = Buyer & {
  environment: E
  setupId: string
  corridor: Corridor
  token: string
}

/** What a rail says about saving a card. `token` is what it takes for charges in the owner's absence. */
export type SetupAnswer =
  | { status: 'succeeded'; token: string; card: CardDetails }
  | { status: 'failed'; failureCode: FailureCode }
  | { status: 'requires_action'; nextAction: NextAction }
  | { status: 'processing' }
  /** The network has never seen an order with this id. */
  | { status: 'not_found' }

/** The part of a card network that saves cards. Every call may be repeated, as a rail's. */
export type CardSetups<E extends Environment> = {
  setUp: (order: SetupOrder<E>) => Promise<SetupAnswer>
  confirm(setupId: string, codeToken: string): Promise<SetupAnswer>
  lookUp(setupId: string): Promise<SetupAnswer>
}

/** What is asked of a rail. The refund's id is the rail's key: the same order again is the same refund. */
export type RefundOrder<E extends Environment = Environment> = {
  environment: E
  refundId: string
  paymentId: string
  corridor: Corridor
  /** What the payer gets. */
  amount: Amount
  currency: Currency
  reference: string
  /** Where the money goes if it does not go back the way it came. */
  address: string | null
  /** What a sandbox is asked to do; a live rail is never given one. */
  simulatedOutcome: 'success' | 'failed' | null
}

/**
 * What a rail says about a refund; `unknown` is asked again, for however long it takes. `not_found` is said to a
 * question alone, by a rail that is sure that no order of this id has reached it: the order is then given again.
 * `returned` is money that had been sent and has come back.
 */
export type RefundAnswer = 'succeeded' | 'failed' | 'returned' | 'unknown' | 'not_found'

/** The part of a rail that sends money back. */
export type RefundRail<E extends Environment> = {
  /** Throws a `RailRefusal` where the rail does not take the order; then nothing was sent, and nothing will be. */
  refund: (order: RefundOrder<E>) => Promise<RefundAnswer>
  lookUpRefund(refundId: string): Promise<RefundAnswer>
}

/** What is asked of a rail. The conversion's id is the rail's key: the same order again is the same exchange. */
export type ConversionOrder<E extends Environment = Environment> = {
  environment: E
  conversionId: string
  /** What the rail takes, and what it gives for it: both amounts are agreed, and it executes them or nothing. */
  sold: { amount: Amount; currency: Currency }
  bought: { amount: Amount; currency: Currency }
  reference: string | null
  /** What a sandbox is asked to do; a live rail is never given one. */
  simulatedOutcome: 'success' | 'failed' | null
}

/**
 * What a rail says about a conversion; `unknown` is asked again, for however long it takes. `not_found` is said to a
 * question alone, by a rail that is sure that no order of this id has reached it: the order is then given again.
 */
export type ConversionAnswer = ConversionEnd | 'unknown' | 'not_found'

/** A rail that exchanges money of one currency for another's. */
export type ConversionRail<E extends Environment> = {
  /** Throws a `RailRefusal` where the rail does not take the order; then nothing was or will be exchanged. */
  convert: (order: ConversionOrder<E>) => Promise<ConversionAnswer>
  lookUpConversion(conversionId: string): Promise<ConversionAnswer>
}

/**
 * One payment network. Every call may be repeated; an unknown outcome is an exception, never a guess: any error but a
 * `RailRefusal` is asked again. `at` is the process's time in milliseconds since the epoch, by which the simulators
 * live; a live network has a time of its own.
 * How the calls map to what providers document is in docs/rails.md.
 */
export type Rail<E extends Environment> = RefundRail<E> & {
  charge: (order: ChargeOrder<E>, at: number) => Promise<RailAnswer>
  /**
   * Makes sure, where the rail can, that nothing is taken under this id from now on, even if the order only comes
   * later. `canceled` says that nothing was and will be; another answer says how the charge stands in spite of it.
   */
  cancelCharge(paymentId: string, at: number): Promise<RailAnswer>
  confirm(paymentId: string, codeToken: string, at: number): Promise<RailAnswer>
  lookUp(paymentId: string, at: number): Promise<RailAnswer>
}

/** What is printed on a card; it exists only between the request and the vault. */
export type CardNumbers = { number: string; exp_month: number; exp_year: number; cvc: string }

/** Where secrets of a buyer go before anything is stored, logged or sent to the engine; tokens come back. */
export type RailVault = {
  keepCard(card: CardNumbers): Promise<string>
  /** Takes the provider's own token, from its field in the buyer's browser; null where it knows of none such. */
  keepToken(token: string): Promise<string | null>
  /** Keeps a number in the form of E.164. */
  keepPhone(number: string): Promise<string>
  keepCode(code: string): Promise<string>
}
