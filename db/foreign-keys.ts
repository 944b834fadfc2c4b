import { type EntityClass, type EntityMetadata, ReferenceKind } from '@mikro-orm/core'
import { ConversionQuote } from './balance/conversion-quote.ts'
import { Conversion } from './balance/conversion.ts'
import { BalanceTransaction } from './balance/transaction.ts'
import { Document } from './catalogue/document.ts'
import { ProductGroup } from './catalogue/product-group.ts'
import { Upload } from './catalogue/upload.ts'
import { CardSetup } from './checkout/card-setup.ts'
import { Checkout } from './checkout/checkout.ts'
import { Deposit } from './checkout/deposit.ts'
import { PaymentLink } from './checkout/payment-link.ts'
import { SavedPaymentMethod } from './checkout/payment-method.ts'
import { Payment } from './checkout/payment.ts'
import { Customer } from './customer/customer.ts'
import { Dispute } from './dispute/dispute.ts'
import { LedgerEntry, LedgerTransaction } from './ledger/tables.ts'
import { OperatorAction } from './core/operator-action.ts'
import { PayoutDestination } from './payout/destination.ts'
import { Payout } from './payout/payout.ts'
import { Review, ReviewDecision } from './review/review.ts'
import { PayoutSchedule } from './payout/schedule.ts'
import { Transfer, TransferReversal } from './transfer/transfer.ts'
import { VirtualAccount } from './platform/virtual-account.ts'
import { Refund } from './refund/refund.ts'
import { Invoice } from './subscription/invoice.ts'
import { SubscriptionMail } from './subscription/mail.ts'
import { Subscription } from './subscription/subscription.ts'

/** A row of `child` refers to a row of `parent` by its id in `property`, or to none where the column may be null. */
type ForeignKey = { child: EntityClass<object>; property: string; parent: EntityClass<object> }

const foreignKey = <T extends object>(
  child: EntityClass<T>,
  property: keyof T & string,
  parent: EntityClass<object>,
): ForeignKey => ({ child: child as EntityClass<object>, property, parent })

/**
 * Every foreign key of the database. A row that another one refers to cannot be deleted. The keys are listed here and
 * not in the entities, because the entities would import one another in circles. Decision 0035 says which columns have
 * none.
 */
export const foreignKeys: readonly ForeignKey[] = [
  foreignKey(Checkout, 'customerId', Customer),
  foreignKey(Checkout, 'paymentLinkId', PaymentLink),
  foreignKey(PaymentLink, 'productGroupId', ProductGroup),
  foreignKey(Payment, 'checkoutId', Checkout),
  foreignKey(Payment, 'customerId', Customer),
  foreignKey(CardSetup, 'checkoutId', Checkout),
  foreignKey(SavedPaymentMethod, 'checkoutId', Checkout),
  foreignKey(SavedPaymentMethod, 'customerId', Customer),
  foreignKey(VirtualAccount, 'customerId', Customer),
  foreignKey(Deposit, 'virtualAccountId', VirtualAccount),
  foreignKey(Refund, 'chargeId', Payment),
  foreignKey(Payment, 'subscriptionId', Subscription),
  foreignKey(Payment, 'invoiceId', Invoice),
  foreignKey(Payment, 'savedMethodId', SavedPaymentMethod),
  foreignKey(Subscription, 'customerId', Customer),
  foreignKey(Subscription, 'paymentMethodId', SavedPaymentMethod),
  foreignKey(Subscription, 'checkoutId', Checkout),
  foreignKey(SubscriptionMail, 'subscriptionId', Subscription),
  foreignKey(SubscriptionMail, 'invoiceId', Invoice),
  foreignKey(Invoice, 'customerId', Customer),
  foreignKey(Invoice, 'subscriptionId', Subscription),
  foreignKey(Document, 'uploadId', Upload),
  foreignKey(Conversion, 'quoteId', ConversionQuote),
  foreignKey(Payout, 'quoteId', ConversionQuote),
  foreignKey(Payout, 'destinationId', PayoutDestination),
  foreignKey(Payout, 'scheduleId', PayoutSchedule),
  foreignKey(PayoutSchedule, 'lastWithdrawalId', Payout),
  foreignKey(OperatorAction, 'payoutId', Payout),
  foreignKey(OperatorAction, 'refundId', Refund),
  foreignKey(OperatorAction, 'conversionId', Conversion),
  foreignKey(OperatorAction, 'paymentId', Payment),
  foreignKey(OperatorAction, 'disputeId', Dispute),
  foreignKey(ReviewDecision, 'reviewId', Review),
  foreignKey(Transfer, 'paymentId', Payment),
  foreignKey(TransferReversal, 'transferId', Transfer),
  foreignKey(TransferReversal, 'refundId', Refund),
  foreignKey(TransferReversal, 'disputeId', Dispute),
  foreignKey(Dispute, 'paymentId', Payment),
  foreignKey(LedgerEntry, 'transactionId', LedgerTransaction),
  foreignKey(BalanceTransaction, 'ledgerTransactionId', LedgerTransaction),
]

/**
 * Declares the foreign-key columns as relations, without a change of their values. The ORM then inserts parents first,
 * and compares the constraints with those of the database. Indexes are declared in the entities.
 */
export function declareForeignKeys(meta: EntityMetadata): void {
  for (const { child, property, parent } of foreignKeys) {
    const prop = meta.properties[property]
    if (meta.class !== child || !prop) continue
    prop.kind = ReferenceKind.MANY_TO_ONE
    prop.entity = () => parent
    prop.mapToPk = true
    prop.fieldNames = [property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
    prop.deleteRule = 'restrict'
    prop.updateRule = 'no action'
    prop.index ??= false
  }
}
