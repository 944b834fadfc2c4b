import { Account } from './account.ts'
import { ApiKey } from './api-key.ts'
import { Checkout } from './checkout.ts'
import { Customer } from './customer.ts'
import { Event } from './event.ts'
import { IdempotencyRecord } from './idempotency.ts'
import { LedgerBalance, LedgerEntry, LedgerTransaction } from './ledger-tables.ts'
import { OutboxRow } from './outbox.ts'
import { Payment, PaymentRequest } from './payment.ts'
import { RateWindow } from './rate-window.ts'
import { RowCount } from './row-count.ts'
import { SimulatedCard, SimulatedCharge, SimulatedCode, SimulatedDeposit } from './simulator.ts'
import { Delivery, DeliveryAttempt, WebhookEndpoint } from './webhook.ts'

/** Every table of the service. */
export const entities = [
  Account,
  ApiKey,
  Checkout,
  Customer,
  Delivery,
  DeliveryAttempt,
  Event,
  IdempotencyRecord,
  LedgerBalance,
  LedgerEntry,
  LedgerTransaction,
  OutboxRow,
  Payment,
  PaymentRequest,
  RateWindow,
  RowCount,
  SimulatedCard,
  SimulatedCharge,
  SimulatedCode,
  SimulatedDeposit,
  WebhookEndpoint,
]
