import { Migration20261120 } from './20261120-first-sale.ts'

/** The migrations in their order; each class is named here so that nothing depends on a folder's listing. */
export const migrationOptions = {
  tableName: 'migrations',
  transactional: true,
  allOrNothing: false,
  snapshot: false,
  migrationsList: [{ name: '20261120-first-sale', class: Migration20261120 }],
}
