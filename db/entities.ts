import { Account } from './platform/account.ts'
import { OwnSettings } from './platform/account-settings.ts'
import { ApiKey } from './access/api-key.ts'
import { AuditEntry } from './access/audit.ts'
import { BalanceTransaction } from './balance/transaction.ts'
import { AccountCapability } from './platform/capability.ts'
import { CardSetup } from './checkout/card-setup.ts'
import { Checkout } from './checkout/checkout.ts'
import { CheckoutSettings } from './checkout/settings.ts'
import { Conversion } from './balance/conversion.ts'
import { ConversionQuote } from './balance/conversion-quote.ts'
import { Customer } from './customer.ts'
import { Deposit } from './checkout/deposit.ts'
import { Event } from './webhook/event.ts'
import { IdempotencyRecord } from './core/idempotency.ts'
import { LedgerBalance, LedgerEntry, LedgerSum, LedgerTransaction } from './ledger/tables.ts'
import { LoginChallenge, LoginSession, RefreshToken } from './access/login.ts'
import { LoginFailures } from './access/login-failures.ts'
import { KeptMail } from './core/mail.ts'
import { OperatorAction } from './payout/operator-action.ts'
import { OverloadedAccount } from './core/overloaded-account.ts'
import { OutboxRow } from './core/outbox.ts'
import { Payment, PaymentRequest } from './checkout/payment.ts'
import { Payout } from './payout/payout.ts'
import { PayoutDestination } from './payout/destination.ts'
import { PaymentLink } from './checkout/payment-link.ts'
import { PayoutSchedule } from './payout/schedule.ts'
import { SavedPaymentMethod } from './checkout/payment-method.ts'
import { ProcessRestart } from './core/process-restart.ts'
import { Product } from './catalogue/product.ts'
import { ProductGroup } from './catalogue/product-group.ts'
import { RateWindow } from './core/rate-window.ts'
import { Refund } from './refund.ts'
import { Review, ReviewDecision } from './payout/review.ts'
import { RowCount } from './core/row-count.ts'
import { SigningKey } from './access/signing-key.ts'
import { SimulatedPayout } from '../rails/sandbox/payout-book.ts'
import {
  SimulatedAddress,
  SimulatedCard,
  SimulatedCharge,
  SimulatedCode,
  SimulatedCoins,
  SimulatedConversion,
  SimulatedDeposit,
  SimulatedPhone,
  SimulatedPrompt,
  SimulatedRefund,
  SimulatedSetup,
} from '../rails/sandbox/book.ts'
import { Upload, UploadContent } from './catalogue/upload.ts'
import { BackupCode, User } from './access/user.ts'
import { VirtualAccount } from './platform/virtual-account.ts'
import { Delivery, DeliveryAttempt, WebhookEndpoint, WebhookRecovery } from './webhook/endpoint.ts'

/** Every table of the service. */
export const entities = [
  Account,
  AccountCapability,
  ApiKey,
  AuditEntry,
  BackupCode,
  BalanceTransaction,
  CardSetup,
  Checkout,
  CheckoutSettings,
  Conversion,
  ConversionQuote,
  Customer,
  Delivery,
  DeliveryAttempt,
  Deposit,
  Event,
  IdempotencyRecord,
  KeptMail,
  LedgerBalance,
  LedgerEntry,
  LedgerSum,
  LedgerTransaction,
  LoginChallenge,
  LoginFailures,
  LoginSession,
  OperatorAction,
  OutboxRow,
  OverloadedAccount,
  OwnSettings,
  Payment,
  PaymentLink,
  PaymentRequest,
  Payout,
  PayoutDestination,
  PayoutSchedule,
  ProcessRestart,
  Product,
  ProductGroup,
  RateWindow,
  RefreshToken,
  Refund,
  Review,
  ReviewDecision,
  RowCount,
  SavedPaymentMethod,
  SigningKey,
  SimulatedAddress,
  SimulatedCard,
  SimulatedCharge,
  SimulatedCode,
  SimulatedCoins,
  SimulatedConversion,
  SimulatedDeposit,
  SimulatedPayout,
  SimulatedPhone,
  SimulatedPrompt,
  Upload,
  UploadContent,
  SimulatedRefund,
  SimulatedSetup,
  User,
  VirtualAccount,
  WebhookEndpoint,
  WebhookRecovery,
]
