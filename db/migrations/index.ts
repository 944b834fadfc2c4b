import { Migration20261120 } from './20261120-first-sale.ts'
import { Migration20261121 } from './20261121-people.ts'
import { Migration20261122 } from './20261122-keys.ts'
import { Migration20261123 } from './20261123-webhook-endpoints.ts'
import { Migration20261124 } from './20261124-customers.ts'
import { Migration20261125 } from './20261125-catalogue.ts'
import { Migration20261126 } from './20261126-refunds.ts'
import { Migration20261127 } from './20261127-rails.ts'
import { Migration20261128 } from './20261128-virtual-accounts.ts'
import { Migration20261129 } from './20261129-carts.ts'
import { Migration20261130 } from './20261130-payment-links.ts'
import { Migration20261201 } from './20261201-billing-currency.ts'
import { Migration20261202 } from './20261202-balances.ts'
import { Migration20261203 } from './20261203-payouts.ts'
import { Migration20261204 } from './20261204-conversions.ts'
import { Migration20261205 } from './20261205-destinations.ts'
import { Migration20261206 } from './20261206-payout-rails.ts'
import { Migration20261207 } from './20261207-payout-schedules.ts'
import { Migration20261208 } from './20261208-rail-fit.ts'
import { Migration20261209 } from './20261209-short-searches.ts'
import { Migration20261210 } from './20261210-second-success.ts'
import { Migration20261211 } from './20261211-bound-payouts.ts'
import { Migration20261211Deposits } from './20261211-deposit-ids.ts'
import { Migration20261212 } from './20261212-key-leases.ts'
import { Migration20261216 } from './20261216-audit-keys.ts'
import { Migration20261217 } from './20261217-how-far-behind.ts'
import { Migration20261218 } from './20261218-endpoint-metadata.ts'
import { Migration20261219PinnedVersions } from './20261219-pinned-versions.ts'
import { Migration20261222 } from './20261222-buyers.ts'
import { Migration20261223 } from './20261223-quoted-prices.ts'
import { Migration20261221 } from './20261221-own-account.ts'
import { Migration20261215FirstHour } from './20261215-first-hour.ts'
import { Migration20261215Repair } from './20261215-repair.ts'
import { Migration20261215Storage } from './20261215-storage.ts'
import { Migration20261214 } from './20261214-open-rows.ts'
import { Migration20261213 } from './20261213-outbox-turns.ts'

/** The migrations in their order; each class is named here so that nothing depends on a folder's listing. */
export const migrationOptions = {
  tableName: 'migrations',
  transactional: true,
  allOrNothing: false,
  snapshot: false,
  migrationsList: [
    { name: '20261120-first-sale', class: Migration20261120 },
    { name: '20261215-first-hour', class: Migration20261215FirstHour }, // the next one builds on it
    { name: '20261121-people', class: Migration20261121 },
    { name: '20261122-keys', class: Migration20261122 },
    { name: '20261123-webhook-endpoints', class: Migration20261123 },
    { name: '20261124-customers', class: Migration20261124 },
    { name: '20261125-catalogue', class: Migration20261125 },
    { name: '20261126-refunds', class: Migration20261126 },
    { name: '20261127-rails', class: Migration20261127 },
    { name: '20261128-virtual-accounts', class: Migration20261128 },
    { name: '20261129-carts', class: Migration20261129 },
    { name: '20261130-payment-links', class: Migration20261130 },
    { name: '20261201-billing-currency', class: Migration20261201 },
    { name: '20261202-balances', class: Migration20261202 },
    { name: '20261203-payouts', class: Migration20261203 },
    { name: '20261204-conversions', class: Migration20261204 },
    { name: '20261205-destinations', class: Migration20261205 },
    { name: '20261206-payout-rails', class: Migration20261206 },
    { name: '20261207-payout-schedules', class: Migration20261207 },
    { name: '20261208-rail-fit', class: Migration20261208 },
    { name: '20261209-short-searches', class: Migration20261209 },
    // Comes before whatever is newer than the edits that it makes up for: those build on the last texts.
    { name: '20261215-repair', class: Migration20261215Repair },
    { name: '20261210-second-success', class: Migration20261210 },
    { name: '20261211-bound-payouts', class: Migration20261211 },
    { name: '20261211-deposit-ids', class: Migration20261211Deposits },
    { name: '20261212-key-leases', class: Migration20261212 },
    { name: '20261213-outbox-turns', class: Migration20261213 },
    { name: '20261214-open-rows', class: Migration20261214 },
    { name: '20261215-storage', class: Migration20261215Storage },
    { name: '20261216-audit-keys', class: Migration20261216 },
    { name: '20261217-how-far-behind', class: Migration20261217 },
    { name: '20261218-endpoint-metadata', class: Migration20261218 },
    { name: '20261219-pinned-versions', class: Migration20261219PinnedVersions },
    { name: '20261221-own-account', class: Migration20261221 },
    { name: '20261222-buyers', class: Migration20261222 },
    { name: '20261223-quoted-prices', class: Migration20261223 },
  ],
}

/** The names of the migrations, in their order. */
export const migrationNames: string[] = migrationOptions.migrationsList.map(({ name }) => name)

/** The text of a migration, by its name. */
export const migrationFile = (name: string): URL => new URL(`./${name}.sql`, import.meta.url)
