import type { Stack } from './stack.ts'

type Column = {
  name: string
  type: string
  length: number | null
  is_nullable: 'YES' | 'NO'
  has_default: boolean
}

/** Columns that lists filter by, filled although they may be null. `n` is the number of the row. */
const named: Record<string, string> = {
  customer_id: `'cust_' || n % 2000`,
  subscription_id: `'sub_' || n % 2000`,
  reference: `'order-' || n`,
  charge_id: `'pay_' || n`,
  payment_id: `'pay_' || n`,
  checkout_id: `'chk_' || n`,
  resource_id: `'res_' || n`,
  source_id: `'res_' || n`,
  payment_link_id: `'pl_' || n % 2000`,
  endpoint_id: `'we_' || n % 2000`,
  user_id: `'usr_' || n % 2000`,
  to_account_id: `'acct_' || n % 2000`,
  from_account_id: `'acct_' || n % 2000`,
}

const byType: Record<string, string> = {
  text: `'x' || n`,
  varchar: `'x' || n`,
  bool: 'false',
  jsonb: `'{}'`,
  inet: `'10.0.0.1'`,
  timestamptz: `now() - n * interval '1 second'`,
  _text: `'{}'`,
}

/**
 * Fills a table with so many rows, every fourth of an account, whatever else is there. Nearly all of
 * the rows have the first word that a column takes, such as a status; the others share the rest. The rows are not
 * ones that the service would write: triggers, foreign keys and the rules of the columns are off. `given` has the
 * expressions of columns that matter more, of which `n` is the number of the row.
 */
export async function fillTable(
  { sql }: Pick<Stack, 'sql'>,
  table: string,
  { accountId, count, given = {} }: { accountId: string; count: number; given?: Record<string, string> },
): Promise<void> {
  const columns = await sql<Column>(
    `select column_name as name, udt_name as type, character_maximum_length as length, is_nullable,
       column_default is not null as has_default
     from information_schema.columns where table_schema = 'public' and table_name = ?`,
    [table],
  )
  const words = await wordsOf({ sql }, table)
  const owner = `case when n % 4 = 1 then '${accountId}' else 'acct_' || n % 100 end`
  const isText = ({ type }: Column) => type === 'varchar' || type === 'text'
  const fixed: Record<string, string> = {
    id: `'row_' || lpad(n::text, 30, '0')`,
    account_id: owner,
    ...named,
    ...given,
  }
  const filled = columns.flatMap((column) => {
    const { name, type, length, is_nullable: nullable, has_default: isDefault } = column
    const listed = words.get(name)
    const told = isText(column) || name in given ? fixed[name] : undefined
    const value = told ?? (listed ? pick(listed) : nullable === 'YES' || isDefault ? null : (byType[type] ?? '1'))
    if (value === null) return []
    return [{ name, value: length !== null && length < 20 && !listed ? `left((${value})::text, ${length})` : value }]
  })
  await sql(`do $$ begin
    set local session_replication_role = replica;
    insert into ${table} (${filled.map(({ name }) => `"${name}"`).join(', ')})
    select ${filled.map(({ value }) => value).join(', ')} from generate_series(1, ${count}) n;
  end $$`)
}

/** The words that the columns of a table take. Its rules are dropped, so that any row fits. */
async function wordsOf({ sql }: Pick<Stack, 'sql'>, table: string): Promise<Map<string, string[]>> {
  const rules = await sql<{ name: string; rule: string }>(
    `select conname as name, pg_get_constraintdef(oid) as rule from pg_constraint
     where conrelid = ?::regclass and contype = 'c'`,
    [table],
  )
  const words = new Map<string, string[]>()
  for (const { name, rule } of rules) {
    const [, column = '', list = ''] = /^CHECK \(\((\w+) = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(rule) ?? []
    const listed = [...list.matchAll(/'([^']*)'/g)].map(([, word = '']) => word)
    if (column !== '' && column !== 'environment' && listed.length > 0) words.set(column, listed)
    await sql(`alter table ${table} drop constraint "${name}"`)
  }
  words.set('environment', ['sandbox'])
  return words
}

const pick = (words: readonly string[]): string => {
  const [first, ...rest] = words.map((word) => `'${word}'`)
  if (rest.length === 0) return first ?? 'null'
  return `case when n % 21 = 0 then (array[${rest.join(', ')}])[1 + n / 21 % ${rest.length}] else ${first} end`
}
