import type { Database } from '../../db/core/database.ts'
import { patientLimits } from '../../db/core/time-limits.ts'
import { openDatabase } from '../../db/open-database.ts'
import { createDatabase } from './database.ts'
import { atEnd } from './use.ts'

type Options = { connections?: number; template?: string }

/** A database for the test file, without the service. */
export async function useDatabase({ connections = 4, template }: Options = {}): Promise<Database & { url: string }> {
  const { url, drop } = await createDatabase(template)
  atEnd(drop)
  const database = await openDatabase(url, connections, patientLimits)
  atEnd(() => database.orm.close())
  return { ...database, url }
}
