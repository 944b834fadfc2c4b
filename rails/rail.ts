import type { CardDetails } from '../db/checkout/payment-method.ts'
import type { MethodDetails } from '../db/checkout/payment.ts'
import type { Environment } from '../domain/access/scope.ts'
import type { ConversionEnd } from '../domain/balance/conversion.ts'
import type { Corridor } from '../domain/corridor.ts'
import type { CryptoAsset } from '../domain/checkout/crypto.ts'
import type { Currency } from '../domain/currency.ts'
import type { RaisedDispute } from '../domain/dispute/dispute.ts'
import type { Amount } from '../domain/money.ts'
import type { FailureCode, NextAction } from '../domain/checkout/payment.ts'
import type { DisputeRail } from './dispute-rail.ts'

/** Money that arrived, in the order's currency, identified by the bank's or the network's own id for it. */
export type Deposit = { id: string; amount: Amount }

/** A card that a network has saved; `token` is what it accepts for charges without the card's owner. */
export type SavedCard = { token: string; card: CardDetails }

/** A rail's answer about a charge. `received` and `deposits` are totals so far, so a repeated answer does no harm. */
export type RailAnswer = (
  | {
      status: 'succeeded' | 'underpaid'
      received: Amount
      deposits: Deposit[]
      details: MethodDetails | null
      /** What the buyer has to do to pay the rest, where that has changed. */
      nextAction?: NextAction
      /** The card that was to be saved, once it is; a card network may succeed without saving it. */
      saved?: SavedCard
      /** The disputes that the network has raised about this charge so far. */
      disputes?: RaisedDispute[]
    }
  | { status: 'failed'; failureCode: FailureCode }
  | { status: 'requires_action'; nextAction: NextAction }
  /** More is on its way. `confirmed` is the total that has arrived before it; left out, it is nothing. */
  | { status: 'processing'; details?: MethodDetails; confirmed?: Amount }
  /** Nothing was taken under this id, and nothing will be: the answer to `cancelCharge` alone. */
  | { status: 'canceled' }
  /** The rail has never seen an order with this id. */
  | { status: 'not_found' }
) & {
  /**
   * When the rail should be asked, in milliseconds since the epoch, where it does not send its news in time. A rail
   * names moments further and further apart, because each is a step of the payment's process.
   */
  newsDueAt?: number
}

/**
 * What a provider needs to know about the buyer. Both are null only in payments of the sandbox's test helper. They are
 * read from the database for each order, and a rail names neither in an error.
 */
export type Buyer = {
  email: string | null
  /** The hosted page of the session, for a buyer who comes back from another page. It holds the client secret. */
  returnUrl: string | null
}

/**
 * An order for a charge. The payment's id is the rail's key: the same order again is the same charge. Every order names
 * the environment of its row, and a rail takes only orders of its own environment: others do not compile.
 */
export type ChargeOrder<E extends Environment = Environment> = Buyer & {
  environment: E
  paymentId: string
  corridor: Corridor
  amount: Amount
  currency: Currency
  /** The rail vault's token for a card or a phone number; null where the buyer sends the money. */
  token: string | null
  /**
   * The vault's token for the security code that the owner of a saved card has entered; `token` is then the one for
   * the saved card. Null for all else. The owner is there, so their bank may ask for more.
   */
  securityCode: string | null
  /** The text for the card's statement, 5 to 22 characters; null: the rail's default. */
  statementText: string | null
  /** Whether the card is also saved for later charges without its owner, who has agreed to that. */
  savesCard: boolean
  /** The provider of the phone's wallet; null except for mobile money. */
  provider: string | null
  /** The asset that the buyer pays in; null except for crypto. */
  asset: CryptoAsset | null
  /** Until when money for this charge is accepted, in milliseconds since the epoch. */
  listensUntil: number
  /** When the buyer should have paid, in milliseconds since the epoch. */
  expiresAt: number
}

/** An order to verify a card for later charges, without a charge now. The setup's id is the rail's key. */
export type SetupOrder<E extends Environment = Environment> = Buyer & {
  environment: E
  setupId: string
  corridor: Corridor
  token: string
}

/** An order for a charge of a saved card without its owner, such as a renewal. The payment's id is the rail's key. */
export type SavedChargeOrder<E extends Environment = Environment> = Pick<
  ChargeOrder<E>,
  'environment' | 'paymentId' | 'corridor' | 'amount' | 'currency' | 'statementText' | 'email'
> & {
  token: string
  /**
   * Since when this order may have been sent, in milliseconds since the epoch: after a restore of the database it is
   * made again, and only the rail knows it (decision 0118).
   */
  mayBeSentSince: number
}

/** A rail's answer about saving a card. */
export type SetupAnswer =
  | ({ status: 'succeeded' } & SavedCard)
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
  /**
   * Charges a saved card. Nobody is there to enter a code: where the card's bank wants one, nothing is taken and the
   * charge fails with `authentication_failed`. The corridor's rail looks the charge up.
   */
  chargeSaved: (order: SavedChargeOrder<E>, at: number) => Promise<RailAnswer>
}

/** An order for a refund. The refund's id is the rail's key: the same order again is the same refund. */
export type RefundOrder<E extends Environment = Environment> = {
  environment: E
  refundId: string
  paymentId: string
  /** The rail's own reference of a refunded transfer into a virtual account; null for what was charged under our id. */
  transferReference: string | null
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
 * A rail's answer about a refund. After `unknown` it is asked again, for however long it takes. `not_found` answers a
 * question only: the rail is sure that it has received no order with this id, and the order is sent again. `returned`:
 * money that had been sent has come back.
 */
export type RefundAnswer = 'succeeded' | 'failed' | 'returned' | 'unknown' | 'not_found'

/** The part of a rail that sends money back. */
export type RefundRail<E extends Environment> = {
  /** Throws a `RailRefusal` where the rail does not take the order; then nothing was sent, and nothing will be. */
  refund: (order: RefundOrder<E>) => Promise<RefundAnswer>
  lookUpRefund(refundId: string): Promise<RefundAnswer>
}

/** An order for a conversion. The conversion's id is the rail's key: the same order again is the same exchange. */
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
 * A rail's answer about a conversion. After `unknown` it is asked again, for however long it takes. `not_found` answers
 * a question only: the rail is sure that it has received no order with this id, and the order is sent again.
 */
export type ConversionAnswer = ConversionEnd | 'unknown' | 'not_found'

/** A rail that exchanges money of one currency for another's. */
export type ConversionRail<E extends Environment> = {
  /** Throws a `RailRefusal` where the rail does not take the order; then nothing was or will be exchanged. */
  convert: (order: ConversionOrder<E>) => Promise<ConversionAnswer>
  lookUpConversion(conversionId: string): Promise<ConversionAnswer>
}

/**
 * One payment network. Every call may be repeated. An unknown outcome is an exception, never a guess: after any error
 * but a `RailRefusal` the rail is asked again. `at` is the process's time in milliseconds since the epoch, which the
 * simulators use; a live network has its own time. How the calls map to what providers document is in docs/rails.md.
 */
export type Rail<E extends Environment> = RefundRail<E> &
  DisputeRail<E> & {
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
  /** Keeps the security code of a saved card until it is charged. It may not be kept longer (PCI DSS, 3.3.1). */
  keepSecurityCode(code: string): Promise<string>
}
