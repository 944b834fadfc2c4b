import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { readContent, Upload } from '../../db/catalogue/upload.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import type { Letterhead, Logo } from '../pdf/paper.ts'

/** A larger file is left out: each document would carry it. */
const bytesMax = 1024 * 1024

/** The merchant as documents name them: as their settings are now. */
export async function readLetterhead(em: EntityManager, tenant: Tenant): Promise<Letterhead> {
  const { displayName, supportEmail, logo } = await readSettings(em, tenant)
  return { name: displayName, supportEmail, logo: logo === null ? null : await readLogo(em, tenant, logo) }
}

/** The logo as a document can hold it: a PNG or a JPEG; null for other images. */
async function readLogo(em: EntityManager, { accountId, environment }: Tenant, id: string): Promise<Logo | null> {
  const upload = await readRow(em, Upload, { id, accountId, environment })
  if (!upload || upload.size > bytesMax) return null
  const { contentType } = upload
  if (contentType !== 'image/png' && contentType !== 'image/jpeg') return null
  return { bytes: await buffer(Readable.from(readContent(em, upload), { objectMode: false })), contentType }
}
