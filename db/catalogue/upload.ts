import { defineEntity, LockMode, p } from '@mikro-orm/core'
import type { Environment } from '../../domain/access/scope.ts'
import { type Visibility, visibilities, uploadTypes } from '../../domain/catalogue/upload.ts'
import { moment, type Tenant, tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { runPrepared } from '../core/prepared-statement.ts'

const schema = defineEntity({
  name: 'Upload',
  tableName: 'uploads',
  properties: {
    id: p.string().primary(),
    ...tenant,
    fileName: p.string().length(255),
    contentType: p.enum(uploadTypes),
    size: p.integer().check('size > 0'),
    sha256: p.string().length(64),
    // How many resources use the upload, and since when none does.
    attachments: p.integer().default(0).check('attachments >= 0'),
    unattachedSince: moment().strictNullable(),
    // What its uses make of it: anybody may see a product's image, nobody a private document. Null: nothing uses it.
    visibility: p.enum(visibilities).strictNullable(),
    createdAt: moment(),
  },
  checks: [
    { name: 'uploads_unattached_check', expression: '(attachments = 0) = (unattached_since is not null)' },
    { name: 'uploads_visible_while_used', expression: '(attachments = 0) = (visibility is null)' },
  ],
  indexes: [
    { name: 'uploads_unattached', properties: ['unattachedSince'], where: 'unattached_since is not null' },
    {
      name: 'uploads_unattached_of',
      properties: ['accountId', 'environment', 'size'],
      where: 'unattached_since is not null',
    },
  ],
})
/** A file that a merchant has sent, to be attached to something. */
export class Upload extends schema.class {}
schema.setClass(Upload)

const contentSchema = defineEntity({
  name: 'UploadContent',
  tableName: 'upload_contents',
  properties: { uploadId: p.string().primary(), bytes: p.blob() },
})
/** The bytes of an upload, in a table of their own that only `readContent` reads. */
export class UploadContent extends contentSchema.class {}
contentSchema.setClass(UploadContent)

const pieceBytes = 256 * 1024

/** The bytes of an upload, a piece at a time, so that a slow reader of a large file costs little memory. */
export async function* readContent(em: EntityManager, { id, size }: Pick<Upload, 'id' | 'size'>) {
  const text = 'select substr(bytes, $2::int, $3::int) as piece from upload_contents where upload_id = $1'
  for (let offset = 0; offset < size; offset += pieceBytes) {
    const [row] = await runPrepared<{ piece: Buffer }>(em, text, [id, offset + 1, pieceBytes])
    if (!row) throw new Error('the upload was deleted while it was read')
    yield row.piece
  }
}

/** The uploads that a resource named before, those that it names now, and who may see them as its files. */
type Attachments = Record<'before' | 'after', readonly string[]> & { visibility: Visibility }

/**
 * Attaches the uploads that a resource names now (`after`) and detaches those that it no longer names (`before`).
 * Returns those of both that exist, locked, so that none is deleted before the running transaction has ended. A private
 * document never becomes public, nor the reverse: such an upload is left out, like one that does not exist. `at` is the
 * real time, as what nothing uses is deleted by that.
 */
export async function changeAttachments(
  em: EntityManager,
  { accountId, environment }: Tenant,
  { before, after, visibility }: Attachments,
  at: number,
): Promise<Map<string, Upload>> {
  const id = { $in: [...new Set([...before, ...after])] }
  // one order of locking, against deadlocks
  const inOrder = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const
  const found = await em.find(Upload, { id, accountId, environment }, inOrder)
  const uploads = found.filter((upload) => upload.visibility === null || upload.visibility === visibility)
  for (const upload of uploads) {
    upload.attachments += Number(after.includes(upload.id)) - Number(before.includes(upload.id))
    upload.unattachedSince = upload.attachments > 0 ? null : (upload.unattachedSince ?? new Date(at))
    upload.visibility = upload.attachments > 0 ? visibility : null
  }
  return new Map(uploads.map((upload) => [upload.id, upload]))
}

/** How many bytes the uploads have that an organization has sent, with its connected accounts, and nothing uses. */
export async function unattachedBytesOf(
  em: EntityManager,
  organizationId: string,
  environment: Environment,
): Promise<number> {
  const text = `select coalesce(sum(size), 0)::float8 as bytes from uploads
    where account_id in (select id from accounts where id = $1 or owner_id = $1)
      and environment = $2 and unattached_since is not null`
  const [row] = await runPrepared<{ bytes: number }>(em, text, [organizationId, environment])
  return row?.bytes ?? 0
}

/** Deletes an upload that the running transaction has locked, with its content. */
export async function deleteUpload(em: EntityManager, { id }: Upload): Promise<void> {
  await em.nativeDelete(Upload, { id })
  await em.nativeDelete(UploadContent, { uploadId: id })
}

/** Deletes some uploads that have been unused since `since` or longer. Returns how many. */
export async function purgeUnattached(em: EntityManager, since: Date, countMax: number): Promise<number> {
  const rows = await em.execute<object[]>(
    `with gone as (
       delete from uploads where id in (
         select id from uploads where unattached_since <= ? order by unattached_since limit ? for update skip locked)
       returning id)
     delete from upload_contents where upload_id in (select id from gone) returning upload_id`,
    [since, countMax],
  )
  return rows.length
}
