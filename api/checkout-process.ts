import type { Checkout } from '../db/checkout.ts'
import type { About } from '../db/start-process.ts'
import type { Currency } from '../domain/currency.ts'
import { format } from '../domain/money.ts'
import type { Services } from './services.ts'

/** What operators read of a session's process in the engine's list. */
export const aboutCheckout = (row: Checkout): About => ({
  accountId: row.accountId,
  environment: row.environment,
  status: row.status,
  waitingOn: 'buyer',
  summary: `${format(row.amount, row.currency as Currency)} ${row.currency}, expires ${row.expiresAt.toISOString()}`,
})

/** Asks the session's process and waits for what it has done; its refusal comes back as ours. */
export const askCheckout = ({ engine }: Services, row: Checkout, update: string, args: unknown[], updateId: string) =>
  engine.ask({ process: 'checkout', resourceId: row.id, about: aboutCheckout(row) }, update, args, updateId)
