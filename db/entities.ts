import { Account } from './account.ts'
import { OwnSettings } from './account-settings.ts'
import { ApiKey } from './api-key.ts'
import { AuditEntry } from './audit.ts'
import { BalanceTransaction } from './balance-transaction.ts'
import { AccountCapability } from './capability.ts'
import { CardSetup } from './card-setup.ts'
import { Checkout } from './checkout.ts'
import { CheckoutSettings } from './checkout-settings.ts'
import { Conversion } from './conversion.ts'
import { ConversionQuote } from './conversion-quote.ts'
import { Customer } from './customer.ts'
import { Deposit } from './deposit.ts'
import { Event } from './event.ts'
import { IdempotencyRecord } from './idempotency.ts'
import { LedgerBalance, LedgerEntry, LedgerSum, LedgerTransaction } from './ledger-tables.ts'
import { LoginChallenge, LoginSession, RefreshToken } from './login.ts'
import { LoginFailures } from './login-failures.ts'
import { KeptMail } from './mail.ts'
import { OperatorAction } from './operator-action.ts'
import { OverloadedAccount } from './overloaded-account.ts'
import { OutboxRow } from './outbox.ts'
import { Payment, PaymentRequest } from './payment.ts'
import { Payout } from './payout.ts'
import { PayoutDestination } from './payout-destination.ts'
import { PaymentLink } from './payment-link.ts'
import { PayoutSchedule } from './payout-schedule.ts'
import { SavedPaymentMethod } from './payment-method.ts'
import { ProcessRestart } from './process-restart.ts'
import { Product } from './product.ts'
import { ProductGroup } from './product-group.ts'
import { RateWindow } from './rate-window.ts'
import { Refund } from './refund.ts'
import { Review, ReviewDecision } from './review.ts'
import { RowCount } from './row-count.ts'
import { SigningKey } from './signing-key.ts'
import { SimulatedPayout } from './simulated-payout.ts'
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
} from './simulator.ts'
import { Upload, UploadContent } from './upload.ts'
import { BackupCode, User } from './user.ts'
import { VirtualAccount } from './virtual-account.ts'
import { Delivery, DeliveryAttempt, WebhookEndpoint, WebhookRecovery } from './webhook.ts'

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
