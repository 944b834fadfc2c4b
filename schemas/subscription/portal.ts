import Type, { type Static } from 'typebox'
import type { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import type { Customer } from '../../db/customer/customer.ts'
import type { CustomerSession as SessionRow } from '../../db/subscription/customer-session.ts'
import type { Invoice as InvoiceRow } from '../../db/subscription/invoice.ts'
import type { Subscription as SubscriptionRow } from '../../db/subscription/subscription.ts'
import { environments } from '../../domain/access/scope.ts'
import { corridorOf } from '../../domain/corridor.ts'
import { format } from '../../domain/money.ts'
import type { AccountSettings } from '../../domain/platform/account-settings.ts'
import { flowTypes } from '../../domain/subscription/customer-session.ts'
import { CurrencyCode, id, iso, Money, nullable, Timestamp } from '../common.ts'
import { BillingAddress, presentCustomer } from '../customer.ts'
import { FeePreference } from '../checkout/settings.ts'
import { type Collecting, Invoice, presentInvoice } from './invoice.ts'
import { type Ahead, presentSubscription, Subscription } from './subscription.ts'

const text = nullable(Type.String())

/** The one thing that a customer may change in a session (docs/contract/subscription.md, "Customer portal"). */
export const Flow = Type.Object(
  {
    type: Type.Enum([...flowTypes]),
    subscription_id: nullable(id('sub')),
    product_group_id: nullable(id('pg')),
  },
  { $id: 'PortalFlow' },
)

/** A session of a customer; its token is shown once, by the call that makes it. */
export const CustomerSession = Type.Object(
  {
    customer_session_id: id('cs'),
    customer_id: id('cust'),
    token: Type.String({ description: 'Shown once. It opens this customer’s portal, and nothing else.' }),
    url: Type.String({ description: 'The hosted portal, with the token. Send the customer there.' }),
    return_url: Type.String(),
    flow: nullable(Flow),
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { $id: 'CustomerSession' },
)

export const presentCustomerSession = (
  row: SessionRow,
  token: string,
  publicUrl: string,
): Static<typeof CustomerSession> => ({
  customer_session_id: row.id,
  customer_id: row.customerId,
  token,
  url: `${publicUrl}/portal/${token}`,
  return_url: row.returnUrl,
  flow: row.flow,
  created_at: iso(row.createdAt),
  expires_at: iso(row.expiresAt),
})

/** The customer themselves, the merchant, and the session. */
export const Portal = Type.Object(
  {
    customer_id: id('cust'),
    email: Type.String(),
    name: text,
    phone_number: text,
    billing_address: BillingAddress,
    merchant: Type.Object({ name: Type.String(), support_email: text, accent_color: text, logo_url: text }),
    environment: Type.Enum([...environments]),
    locale: text,
    flow: nullable(Flow),
    can_add_cards: Type.Boolean(),
    return_url: Type.String(),
    expires_at: Timestamp,
  },
  { $id: 'CustomerPortal' },
)

type Around = {
  merchant: AccountSettings
  /** It serves the merchant's logo. */
  publicUrl: string
  /** That of the customer's newest subscription. */
  locale: string | null
  /** Whether a card can be saved without a payment now. */
  canAddCards: boolean
}

export function presentPortal(
  session: SessionRow,
  customer: Customer,
  { merchant, publicUrl, locale, canAddCards }: Around,
): Static<typeof Portal> {
  const { metadata: _, created_at: _created, updated_at: _updated, ...shown } = presentCustomer(customer)
  return {
    ...shown,
    merchant: {
      name: merchant.displayName,
      support_email: merchant.supportEmail,
      accent_color: merchant.accentColor,
      logo_url: merchant.logo && `${publicUrl}/uploads/${merchant.logo}`,
    },
    environment: session.environment,
    locale,
    flow: session.flow,
    can_add_cards: canAddCards,
    return_url: session.returnUrl,
    expires_at: iso(session.expiresAt),
  }
}

const { metadata: _ofMerchant, checkout_id: _ofSale, ...ofSubscription } = Subscription.properties

/** A subscription as its customer sees it: without the merchant's own data, and with what they are charged and how. */
export const PortalSubscription = Type.Object(
  {
    ...ofSubscription,
    fee_preference: FeePreference,
    charge_currency: nullable(CurrencyCode),
    next_invoice_amount: nullable(Money),
  },
  { $id: 'PortalSubscription' },
)

/**
 * Reasons and comments of a merchant are for the merchant, so a customer reads only their own. `card`: the one that is
 * charged; null without one.
 */
export function presentPortalSubscription(
  row: SubscriptionRow,
  customer: Customer,
  { card, ahead }: { card: SavedPaymentMethod | null; ahead: Ahead },
): Static<typeof PortalSubscription> {
  const { metadata: _, checkout_id: _checkout, cancellation, ...shown } = presentSubscription(row, customer, ahead)
  const isOwn = cancellation?.by === 'customer'
  return {
    ...shown,
    cancellation: cancellation && (isOwn ? cancellation : { ...noWords, by: cancellation.by }),
    fee_preference: row.feePreference,
    charge_currency: card && corridorOf(card.corridor).currency,
    next_invoice_amount: ahead.openTotal && format(ahead.openTotal, row.currency),
  }
}

const noWords = { reason: null, comment: null }

const { metadata: _ofInvoice, ...ofInvoice } = Invoice.properties

/** An invoice as its customer sees it: without the merchant's own data. */
export const PortalInvoice = Type.Object(ofInvoice, { $id: 'PortalInvoice' })

export function presentPortalInvoice(
  row: InvoiceRow,
  collecting: Collecting,
  publicUrl: string,
): Static<typeof PortalInvoice> {
  const { metadata: _, ...shown } = presentInvoice(row, collecting, publicUrl)
  return shown
}
