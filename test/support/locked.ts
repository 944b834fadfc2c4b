import { Client } from 'pg'
import type { Stack } from './stack.ts'

/**
 * Works while another client of the database holds a table, which can be read and not written. A call that writes it is
 * answered with 503, so that whoever has made it does not know what has become of it.
 */
export async function whileLocked<T>({ databaseUrl }: Stack, table: string, work: () => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`begin; lock table ${table} in exclusive mode`)
  return work().finally(() => client.end())
}
