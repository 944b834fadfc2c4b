import { CardSetup } from './card-setup.ts'
import { Checkout } from './checkout.ts'
import { Deposit } from './deposit.ts'
import { PaymentLink } from './payment-link.ts'
import { SavedPaymentMethod } from './payment-method.ts'
import { Payment, PaymentRequest } from './payment.ts'
import { CheckoutSettings } from './settings.ts'

/** The tables of the area. */
export const checkoutEntities = [
  CardSetup,
  Checkout,
  CheckoutSettings,
  Deposit,
  Payment,
  PaymentLink,
  PaymentRequest,
  SavedPaymentMethod,
]
