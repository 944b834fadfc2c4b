import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { liftTimeLimits } from '../../db/core/time-limits.ts'
import { useDatabase } from '../support/use-database.ts'

// A log of 1,000,000 calls in a week: a page is read from an index, whatever it is filtered by.
const database = await useDatabase()
const sql = <T extends object>(text: string) => database.orm.em.fork().execute<T[]>(text)

before(async () => {
  const client = database.orm.em.fork()
  await client.begin()
  await liftTimeLimits(client)
  // Indexes are made faster of rows that are there.
  const indexes = await client.execute<{ name: string; statement: string }[]>(
    `select indexname as name, indexdef as statement from pg_indexes
     where tablename = 'request_logs' and indexname <> 'request_logs_pkey'`,
  )
  for (const { name } of indexes) await client.execute(`drop index "${name}"`)
  await client.execute(
    `insert into request_logs (id, account_id, environment, request_id, method, route, path, status, error_code,
       error_fields, key_id, source, is_replay, duration_ms, created_at)
     select 'req_' || n, case when n % 10 = 0 then 'acct_' || n % 200 else 'acct_large' end, 'sandbox', 'r' || n,
       case when n % 3 = 0 then 'POST' else 'GET' end, '/v1/payments', '/v1/payments',
       case when n % 1000 = 1 then 404 else 200 end, case when n % 1000 = 1 then 'NOT_FOUND' end, '{}',
       'key_' || n % 2, 'api', false, 5, now() - n * interval '0.6 s'
     from generate_series(1, 1000000) n`,
  )
  for (const { statement } of indexes) await client.execute(statement)
  await client.commit()
  await sql('analyze request_logs')
})

type Plan = { 'Node Type': string; 'Index Name'?: string; 'Actual Rows': number; Plans?: Plan[] } & Record<
  string,
  number
>
const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

const ownOf = (account: string) =>
  `account_id = '${account}' and environment = 'sandbox' and created_at > now() - interval '7 days'`
const [large, small] = [ownOf('acct_large'), ownOf('acct_10')]
const [ofAnyone, ofAccount] = [/^request_logs_(of_account|by_age)$/, /^request_logs_of_account$/]
for (const [what, where, index] of [
  ['of an account with nearly all calls', large, ofAnyone],
  [
    'of it, further on',
    `${large} and created_at <= now() - interval '5 days' and (created_at < now() or id < 'x')`,
    ofAnyone,
  ],
  ['of it, by method', `${large} and method = 'POST'`, ofAnyone],
  ['of it, by a method that no call has', `${large} and method = 'DELETE'`, /^request_logs_by_rare_method$/],
  ['of it, for an account that none acted for', `${large} and acting_for = 'acct_1'`, /^request_logs_acting$/],
  ['of it, by path', `${large} and (path like '/v1/pay%' or route like '/v1/pay%')`, ofAnyone],
  ['of it, by key', `${large} and key_id = 'key_1'`, ofAnyone],
  ['of it, by a class of statuses', `${large} and status >= 400 and status < 500`, /^request_logs_refused$/],
  ['of it, by a status', `${large} and status = 404`, /^request_logs_refused$/],
  ['of it, by an error code', `${large} and error_code = 'NOT_FOUND' and status >= 400`, /^request_logs_refused$/],
  ['of it, by a request id', `${large} and request_id = 'r500001'`, /^request_logs_by_request$/],
  ['of an account with few calls', small, ofAccount],
  ['of an account with few calls, by method', `${small} and method = 'POST'`, ofAccount],
  ['of an account that has none', ownOf('acct_none'), /^request_logs_/],
] as const) {
  test(`a page of the log ${what}, reads few rows, by an index`, async () => {
    const [row] = (await sql(
      `explain (analyze, format json) select * from request_logs where ${where}
       order by created_at desc, id desc limit 26`,
    )) as [{ 'QUERY PLAN': [{ Plan: Plan }] }]
    const nodes = nodesOf(row['QUERY PLAN'][0].Plan)
    const scan = nodes.find((node) => node['Index Name'] !== undefined)
    assert.match(scan?.['Index Name'] ?? '', index)
    assert.ok(!nodes.some((node) => node['Node Type'] === 'Seq Scan'))
    const read = Number(scan?.['Actual Rows']) + Number(scan?.['Rows Removed by Filter'] ?? 0)
    assert.ok(read <= 200, `${read} rows were read`)
  })
}
