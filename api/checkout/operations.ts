import type { Operation } from '../http/operation.ts'
import * as checkout from './checkout.ts'
import * as creation from './create.ts'
import * as pay from './pay.ts'
import * as payment from './payment.ts'
import * as link from './payment-link.ts'
import * as opening from './payment-link-open.ts'
import * as method from './payment-method.ts'
import * as receipt from './receipt.ts'
import * as settings from './settings.ts'
import * as summary from './summary.ts'

/** The operations of the area: sessions, payments, payment links and their settings. */
export const checkoutOperations: readonly Operation[] = [
  creation.createCheckout,
  checkout.listCheckouts,
  checkout.getCheckout,
  pay.cancelCheckout,
  pay.getPublicCheckout,
  pay.payCheckout,
  pay.confirmCheckout,
  settings.changeCheckoutSettings,
  settings.getCheckoutSettings,
  link.createPaymentLink,
  link.listPaymentLinks,
  link.getPaymentLink,
  link.changePaymentLink,
  opening.getPublicPaymentLink,
  opening.openPaymentLink,
  payment.listPayments,
  payment.getPayment,
  payment.acceptPayment,
  summary.getSummary,
  receipt.getReceipt,
  method.listPaymentMethods,
  method.listSavedPaymentMethods,
  method.attachPaymentMethod,
]
