import { defineEntity, p } from '@mikro-orm/core'
import { destinationStatuses, destinationTypes, type PayoutCurrency } from '../../domain/payout/destination.ts'
import type { Routing } from '../../domain/payout/routing.ts'
import { moment, onClock, type Tenant, tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'

type Column = 'accountId' | 'environment' | 'status' | 'currency' | 'type' | 'createdAt' | 'id'

/** An index of those that are not deactivated by one of the filters of their list, of which few may match. */
const listedBy = (filter: 'status' | 'currency' | 'type') => ({
  name: `payout_destinations_by_${filter}`,
  properties: ['accountId', 'environment', filter, 'createdAt', 'id'] satisfies Column[] as Column[],
  where: 'deactivated_at is null',
})

const schema = defineEntity({
  name: 'PayoutDestination',
  tableName: 'payout_destinations',
  properties: {
    id: p.string().primary(),
    ...tenant,
    ...onClock,
    name: p.string().length(255),
    type: p.enum(destinationTypes),
    currency: p.string().$type<PayoutCurrency>().length(10),
    status: p.enum(destinationStatuses).default('pending_review'),
    statusReason: p.string().length(500).strictNullable(),
    isDefault: p.boolean().default(false),
    accountNumber: p.string().length(50).strictNullable(),
    accountName: p.string().length(255).strictNullable(),
    // Whom the bank has named as the holder of this account; null where it was not asked, or has named nobody.
    holderAtBank: p.string().length(255).strictNullable(),
    bankCode: p.string().length(20).strictNullable(),
    bankName: p.string().length(255).strictNullable(),
    scheme: p.string().length(10).strictNullable(),
    phoneNumber: p.string().length(20).strictNullable(),
    mobileProvider: p.string().length(50).strictNullable(),
    walletAddress: p.string().length(255).strictNullable(),
    network: p.string().length(50).strictNullable(),
    metadata: p.json<Record<string, string>>(),
    // How often it was stated, and how often its routing has changed; both are explained in `domain/revision.ts`.
    revision: p.integer().default(1),
    routingRevision: p.integer().default(1),
    reviewedAt: moment().strictNullable(),
    deactivatedAt: moment().strictNullable(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [
    { name: 'payout_destinations_are_reviewed', expression: "(reviewed_at is null) = (status = 'pending_review')" },
    { name: 'payout_destinations_default_is_usable', expression: 'not is_default or deactivated_at is null' },
  ],
  indexes: [
    { name: 'payout_destinations_on_clock', properties: ['clockId'], where: 'clock_id is not null' },
    {
      // It has what the list filters by, so that it alone is read.
      name: 'payout_destinations_listed',
      properties: ['accountId', 'environment', 'createdAt', 'id', 'status', 'currency', 'type'],
      where: 'deactivated_at is null',
    },
    listedBy('status'),
    listedBy('currency'),
    listedBy('type'),
    {
      name: 'payout_destinations_open',
      properties: ['createdAt'],
      where: "status = 'pending_review' and deactivated_at is null",
    },
  ],
  uniques: [
    {
      name: 'payout_destinations_one_default',
      properties: ['accountId', 'environment', 'currency'],
      where: 'is_default',
    },
  ],
})
/** Where an account's own money may be sent, once staff have approved it. */
export class PayoutDestination extends schema.class {}
schema.setClass(PayoutDestination)

/** A destination's routing, with the field names of the API. */
export const routingOf = (row: PayoutDestination): Routing => ({
  type: row.type,
  currency: row.currency,
  account_number: row.accountNumber,
  account_name: row.accountName,
  bank_code: row.bankCode,
  bank_name: row.bankName,
  scheme: row.scheme,
  phone_number: row.phoneNumber,
  mobile_provider: row.mobileProvider,
  wallet_address: row.walletAddress,
  network: row.network,
})

/** A routing with the property names of the row. */
export const columnsOf = (routing: Routing) => ({
  type: routing.type,
  currency: routing.currency,
  accountNumber: routing.account_number,
  accountName: routing.account_name,
  bankCode: routing.bank_code,
  bankName: routing.bank_name,
  scheme: routing.scheme,
  phoneNumber: routing.phone_number,
  mobileProvider: routing.mobile_provider,
  walletAddress: routing.wallet_address,
  network: routing.network,
})

/**
 * Lets the calls that choose a default destination of one account follow one another, until the transaction ends. It is
 * locked before any destination is, so that no two calls wait for each other.
 */
export const lockDefaults = (em: EntityManager, { accountId, environment }: Tenant): Promise<unknown> =>
  em.execute(`select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`default/${accountId}/${environment}`])
