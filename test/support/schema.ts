/** Every table, column, constraint, index, trigger and function of a database, a line each. */
export const describeSchema = `
select what || ' ' || name || ': ' || def as line from (
  select 'table' what, c.relname::text name,
    c.relpersistence::text || ' ' || coalesce(array_to_string(c.reloptions, ','), '') def
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
  union all
  select 'column', c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod)
    || case when a.attnotnull then ' not null' else '' end
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
    || ' ' || a.attgenerated::text || a.attidentity::text || ' ' || a.attstorage::text
  from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
  union all
  select 'constraint', conrelid::regclass::text || '.' || conname,
    pg_get_constraintdef(oid) || case when convalidated then '' else ' not valid' end
  from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all
  select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
  union all
  select 'trigger', tgrelid::regclass::text || '.' || tgname, pg_get_triggerdef(oid) || ' ' || tgenabled::text
  from pg_trigger where not tgisinternal
  union all
  select 'function', p.oid::regprocedure::text, pg_get_functiondef(p.oid) from pg_proc p
  where pronamespace = 'public'::regnamespace and prokind = 'f'
    and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  union all
  select 'sequence', c.relname::text, s.seqincrement || ' ' || s.seqmax
  from pg_sequence s join pg_class c on c.oid = s.seqrelid
  union all
  select 'extension', extname::text, '' from pg_extension
) everything order by 1`

/** The lines that only one of two schemas has. */
export function differences(is: string[], shouldBe: string[]): string[] {
  const [has, wants] = [new Set(is), new Set(shouldBe)]
  return [
    ...is.filter((line) => !wants.has(line)).map((line) => `+ ${line}`),
    ...shouldBe.filter((line) => !has.has(line)).map((line) => `- ${line}`),
  ]
}
