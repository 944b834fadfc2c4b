import { Account } from './account.ts'
import { ApiKey } from './api-key.ts'
import { AuditEntry } from './audit.ts'
import { AccountCapability } from './capability.ts'
import { CardSetup } from './card-setup.ts'
import { Checkout } from './checkout.ts'
import { CheckoutSettings } from './checkout-settings.ts'
import { Customer } from './customer.ts'
import { Deposit } from './deposit.ts'
import { Event } from './event.ts'
import { IdempotencyRecord } from './idempotency.ts'
import { LedgerBalance, LedgerEntry, LedgerTransaction } from './ledger-tables.ts'
import { LoginChallenge, LoginSession, RefreshToken } from './login.ts'
import { LoginFailures } from './login-failures.ts'
import { KeptMail } from './mail.ts'
import { OutboxRow } from './outbox.ts'
import { Payment, PaymentRequest } from './payment.ts'
import { SavedPaymentMethod } from './payment-method.ts'
import { Product } from './product.ts'
import { ProductGroup } from './product-group.ts'
import { RateWindow } from './rate-window.ts'
import { Refund } from './refund.ts'
import { RowCount } from './row-count.ts'
import { SigningKey } from './signing-key.ts'
import {
  SimulatedAddress,
  SimulatedCard,
  SimulatedCharge,
  SimulatedCode,
  SimulatedCoins,
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
  CardSetup,
  Checkout,
  CheckoutSettings,
  Customer,
  Delivery,
  DeliveryAttempt,
  Deposit,
  Event,
  IdempotencyRecord,
  KeptMail,
  LedgerBalance,
  LedgerEntry,
  LedgerTransaction,
  LoginChallenge,
  LoginFailures,
  LoginSession,
  OutboxRow,
  Payment,
  PaymentRequest,
  Product,
  ProductGroup,
  RateWindow,
  RefreshToken,
  Refund,
  RowCount,
  SavedPaymentMethod,
  SigningKey,
  SimulatedAddress,
  SimulatedCard,
  SimulatedCharge,
  SimulatedCode,
  SimulatedCoins,
  SimulatedDeposit,
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
