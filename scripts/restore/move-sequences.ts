import { type Database, inTransaction } from '../../db/core/database.ts'
import { liftTimeLimits } from '../../db/core/time-limits.ts'

/**
 * How far a sequence is moved. No number so far ahead was used before the restore: a thousand events a second take
 * eleven days for it. Receivers read the numbers as integers below 2^53, which leaves room for nine million restores.
 */
const gap = 1_000_000_000

/** A sequence that numbers a column, and the last number that it is known to have given. */
export type Numbered = { name: string; column: string; last: string }

const known = `
  select quote_ident(s.relname) as name, quote_ident(t.relname) as "table", quote_ident(a.attname) as column,
    t.relname || '.' || a.attname as shown
  from pg_class s join pg_sequence q on q.seqrelid = s.oid and q.seqtypid = 'bigint'::regtype
  join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
  join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
  where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace order by t.relname`

type Known = { name: string; table: string; column: string; shown: string }

/**
 * Moves every sequence of the database forward, so that no number is used again that receivers have seen after the
 * moment to which the database was restored. A second run is safe: it moves them further. Returns their last numbers.
 */
export const moveSequences = (database: Database, isDry: boolean): Promise<Numbered[]> =>
  inTransaction(database, async (em) => {
    await liftTimeLimits(em)
    const moved: Numbered[] = []
    for (const { name, table, column, shown } of await em.execute<Known[]>(known)) {
      const [row] = await em.execute<{ last: string }[]>(
        `select greatest((select last_value from ${name}), (select coalesce(max(${column}), 0) from ${table})) as last`,
      )
      const last = row?.last ?? '0'
      if (!isDry) await em.execute('select setval(?::regclass, ?::bigint + ?::bigint)', [name, last, gap])
      moved.push({ name, column: shown, last })
    }
    return moved
  })

/** The number that comes after a restore. */
export const movedTo = ({ last }: Numbered): string => String(BigInt(last) + BigInt(gap) + 1n)
