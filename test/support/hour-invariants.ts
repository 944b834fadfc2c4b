const lists: Record<string, { facet?: string; only?: string }> = {
  balance_transactions: {},
  checkouts: {},
  conversions: {},
  deliveries: { facet: 'endpoint_id' },
  disputes: {},
  events: { only: "not is_test and body <> ''" },
  invoices: {},
  payments: {},
  payout_destinations: { only: 'deactivated_at is null' },
  subscriptions: {},
  transfers: { facet: 'kind' },
  virtual_accounts: {},
}

const rowsOf = ([table, { facet = "''", only = 'true' }]: [string, (typeof lists)[string]]) =>
  `select l.account_id, l.environment, l.table_name, l.facet, date_trunc('hour', r.created_at, 'UTC') as hour, count(*)
   from counted_lists l join ${table} r on r.account_id = l.account_id and r.environment = l.environment
     and l.table_name = '${table}' and l.facet = ${facet} and r.created_at < l.counted_until
   where ${only} group by 1, 2, 3, 4, 5`

/** What must hold of hours that are over and counted. */
export const rules: Record<string, string> = {
  'an hour that is counted has as many rows as it says': `
    (select account_id, environment, table_name, facet, hour, count from counted_hours where count <> 0
     except (${Object.entries(lists).map(rowsOf).join(' union all ')}))
    union all ((${Object.entries(lists).map(rowsOf).join(' union all ')})
     except select account_id, environment, table_name, facet, hour, count from counted_hours)`,
}
