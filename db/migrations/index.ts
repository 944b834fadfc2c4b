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
import { Migration20261201 } from './20261201-billing-currency.ts'

/** The migrations in their order; each class is named here so that nothing depends on a folder's listing. */
export const migrationOptions = {
  tableName: 'migrations',
  transactional: true,
  allOrNothing: false,
  snapshot: false,
  migrationsList: [
    { name: '20261120-first-sale', class: Migration20261120 },
    { name: '20261121-people', class: Migration20261121 },
    { name: '20261122-keys', class: Migration20261122 },
    { name: '20261123-webhook-endpoints', class: Migration20261123 },
    { name: '20261124-customers', class: Migration20261124 },
    { name: '20261125-catalogue', class: Migration20261125 },
    { name: '20261126-refunds', class: Migration20261126 },
    { name: '20261127-rails', class: Migration20261127 },
    { name: '20261128-virtual-accounts', class: Migration20261128 },
    { name: '20261129-carts', class: Migration20261129 },
    { name: '20261201-billing-currency', class: Migration20261201 },
  ],
}
