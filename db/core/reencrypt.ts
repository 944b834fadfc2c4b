import type { Database, EntityManager } from './database.ts'
import { type Encrypter, keyIdOf } from './encryption.ts'

/** A column that holds encrypted texts, and the column by which a row is found. */
export type EncryptedColumn = { table: string; key: string; column: string }

/** What a walk through a column has found: the number of values under each key id, and what was done to them. */
export type Walked = {
  /** Null stands for texts that have not the form of an encrypted one. */
  counts: Map<string | null, number>
  /** Values that are now encrypted with the first key. */
  renewed: number
  /** Values whose row was locked or changed meanwhile: the next walk finds them. */
  missed: number
  /** Values that the key of their id does not decrypt; only counted without `renews`. */
  damaged: number
}

/** Rows read by one statement. Each of them is short, so that no call waits for it. */
const pageMax = 500

type Meta = {
  tableName: string
  primaryKeys: string[]
  properties: Record<string, { name: string; fieldNames?: string[] }>
}

/** Every column whose property is named for what it holds (`encrypted…`, `…Encrypted…`), by name. */
export function encryptedColumns({ orm }: Database): EncryptedColumn[] {
  const metas = [...orm.getMetadata().getAll().values()] as unknown as Meta[]
  const columns = metas.flatMap(({ tableName, primaryKeys, properties }) =>
    Object.values(properties)
      .filter(({ name }) => /^encrypted|Encrypted/.test(name))
      .map(({ fieldNames }) => ({
        table: tableName,
        key: properties[primaryKeys[0] ?? '']?.fieldNames?.[0] ?? '',
        column: fieldNames?.[0] ?? '',
      })),
  )
  const nameOf = ({ table, column }: EncryptedColumn) => `${table}.${column}`
  return columns.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)))
}

/**
 * Walks through a column, page by page. With `renews` each value that is not under the first key is encrypted anew,
 * unless its row is locked or was changed meanwhile: nothing waits, and no newer value is overwritten. Otherwise each
 * value is decrypted, as its key id alone does not say that it can be. Safe to interrupt, to repeat, and to run beside
 * itself.
 */
export async function walkColumn(
  { orm }: Database,
  encrypter: Encrypter,
  column: EncryptedColumn,
  { renews }: { renews: boolean },
): Promise<Walked> {
  const walked: Walked = { counts: new Map(), renewed: 0, missed: 0, damaged: 0 }
  const em = orm.em.fork()
  for (let after = ''; ;) {
    const page = await readPage(em, column, after, renews ? encrypter.keyIds[0] : '')
    for (const { keyId, isEmpty } of page) if (!isEmpty) walked.counts.set(keyId, (walked.counts.get(keyId) ?? 0) + 1)
    if (renews) await renewPage(em, encrypter, { column, page, walked })
    else walked.damaged += underKnownKeys(encrypter, page).filter(({ value }) => !isReadable(encrypter, value)).length
    const last = page.at(-1)
    if (!last) return walked
    after = last.key
  }
}

/** `value` only where it is under another key than the one that is left out. */
type Held = { key: string; isEmpty: boolean; keyId: string | null; value: string | null }

function readPage(em: EntityManager, of: EncryptedColumn, after: string, leftOutId: string): Promise<Held[]> {
  return em.execute<Held[]>(
    `with page as materialized (
       select ${of.key} as key, ${of.column} as value from ${of.table} where ${of.key} > ? order by 1 limit ${pageMax})
     select key, value is null as "isEmpty", ${keyIdOf('value')} as "keyId",
       case when ${keyIdOf('value')} <> ? then value end as value
     from page order by key`,
    [after, leftOutId],
  )
}

type Renewing = { column: EncryptedColumn; page: Held[]; walked: Walked }

async function renewPage(em: EntityManager, encrypter: Encrypter, { column, page, walked }: Renewing): Promise<void> {
  const renewed = underKnownKeys(encrypter, page).flatMap(({ key, value }) => {
    const text = tryToDecrypt(encrypter, value)
    return text === null ? [] : [{ key, was: value, value: encrypter.encrypt(text) }]
  })
  if (renewed.length === 0) return
  const { count } = await write(em, column, renewed)
  walked.renewed += count
  walked.missed += renewed.length - count
}

const underKnownKeys = ({ keyIds }: Encrypter, page: Held[]) =>
  page.flatMap(({ key, keyId, value }) =>
    value !== null && keyId !== null && keyIds.includes(keyId) ? [{ key, value }] : [],
  )

function tryToDecrypt(encrypter: Encrypter, value: string): string | null {
  try {
    return encrypter.decrypt(value)
  } catch {
    return null
  }
}

const isReadable = (encrypter: Encrypter, value: string): boolean => tryToDecrypt(encrypter, value) !== null

/** Writes the values of the rows that nobody has locked and that still have the value that was read. */
async function write(em: EntityManager, { table, key, column }: EncryptedColumn, values: object[]) {
  const [row] = await em.execute<{ count: number }[]>(
    `with new as materialized (select * from json_to_recordset(?::json) as n (key text, was text, value text)),
     free as materialized (
       select r.${key} as key from ${table} r join new on r.${key} = new.key
       where r.${column} = new.was order by r.${key} for no key update of r skip locked),
     written as (
       update ${table} r set ${column} = new.value from new join free using (key)
       where r.${key} = new.key and r.${column} = new.was returning 1)
     select count(*)::int as count from written`,
    [JSON.stringify(values)],
  )
  return { count: row?.count ?? 0 }
}
