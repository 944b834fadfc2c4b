// What the fields of customers and their saved cards mean. The keys: schemas/common-meanings.ts.

/** What fields of this area mean. */
export const customerMeanings = {
  'Customer.name': 'The name of the customer; null if it is not known.',
  'Customer.locale': 'The language in which the customer is written to, such as `fr-CI`; null: that of the sale.',
  'PortalCustomer.name': 'The name of the customer.',
  'CustomerPortal.locale':
    'The `locale` of the customer, else of the checkout session that began the newest subscription; null if neither ' +
    'names one.',
  'CustomerPortal.name': 'The name of the customer; null if it is not known.',
  'SavedPaymentMethod.type': 'The kind of payment method.',
  'SavedPaymentMethod.card': 'What is shown of the card.',
  'card.brand': 'The brand of the card.',
  'card.last4': 'The last four digits of the card.',
  'card.country': 'The country of the bank that issued the card.',
} as const
