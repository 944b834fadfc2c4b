import { LockMode } from '@mikro-orm/core'
import Type from 'typebox'
import { deleteUpload, unattachedBytesOf, Upload as UploadRow, UploadContent } from '../../db/catalogue/upload.ts'
import { organizationOf } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { countInDay } from '../../db/core/day-count.ts'
import { hourMs } from '../../domain/duration.ts'
import { newId } from '../../domain/id.ts'
import { invalid, Refusal } from '../../domain/refusal.ts'
import { sentKilobytesMax, typeOfContent, unattachedBytesMax, type UploadType } from '../../domain/catalogue/upload.ts'
import { id, idParameter } from '../../schemas/common.ts'
import { presentUpload, Upload } from '../../schemas/catalogue/upload.ts'
import { operation } from '../http/operation.ts'
import type { UploadedFile } from '../http/read-multipart.ts'

export const createUpload = operation({
  method: 'post',
  path: '/v1/utilities/uploads',
  summary: 'Upload a PNG, JPEG or WebP image or a PDF of at most 10 MB; if unused, it is deleted after 24 hours',
  tag: 'Uploads',
  auth: ['apiKey', 'onboardingToken'],
  scope: 'products:write',
  body: Type.Object({ file: Type.String({ format: 'binary' }) }, { $id: 'CreateUpload' }),
  takesFile: true,
  returns: [201, Upload],
  refuses: ['CONFLICT'],

  async handle({ file, caller: { accountId, environment }, em, services }) {
    const contentType = typeOfContent(file.bytes)
    if (!contentType) throw invalid('file', 'must hold a PNG, JPEG or WebP image or a PDF')
    const now = await services.clock.now()
    const owner = { accountId, environment }
    await assertRoom(em, owner, file.bytes.length, now)
    const upload = em.create(UploadRow, newUpload(file, contentType, owner, now))
    em.create(UploadContent, { uploadId: upload.id, bytes: file.bytes })
    return presentUpload(upload)
  },
})

/**
 * Refuses a file where its organization has sent too much in a day, or has too much that nothing uses: all merchants
 * share one disk. The count stays locked until the end, so that files at once do not exceed a limit together.
 */
async function assertRoom(em: EntityManager, { accountId, environment }: Tenant, bytes: number, now: number) {
  const organizationId = await organizationOf(em, accountId)
  const kilobytes = Math.ceil(bytes / 1000)
  const before = await countInDay(em, `uploads:${organizationId}:${environment}`, kilobytes, now)
  const words = 'files have taken 10 GB in a day: send further ones later'
  if (before + kilobytes > sentKilobytesMax) throw new Refusal('TOO_MANY_REQUESTS', words, [], hourMs / 1000)
  if ((await unattachedBytesOf(em, organizationId, environment)) + bytes > unattachedBytesMax)
    throw new Refusal('CONFLICT', 'uploads that nothing uses take 1 GB: use or delete some, or wait for a day')
}

/** It has the real time, as it is deleted by that: the test clock of an account may be days behind. */
const newUpload = (file: UploadedFile, contentType: UploadType, owner: Tenant, now: number) => ({
  ...owner,
  id: newId('upl', now),
  contentType,
  fileName: file.name,
  size: file.bytes.length,
  sha256: file.sha256,
  createdAt: new Date(now),
  unattachedSince: new Date(now),
  visibility: null,
})

export const removeUpload = operation({
  method: 'delete',
  path: '/v1/utilities/uploads/{upload_id}',
  summary: 'Delete an upload that nothing uses',
  tag: 'Uploads',
  auth: ['apiKey'],
  scope: 'products:write',
  params: Type.Object({ upload_id: idParameter('upl') }),
  returns: [200, Type.Object({ upload_id: id('upl'), deleted: Type.Literal(true) }, { $id: 'DeletedUpload' })],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, caller: { accountId, environment }, em }) {
    const where = { id: params.upload_id, accountId, environment }
    const upload = await em.findOne(UploadRow, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!upload) throw new Refusal('NOT_FOUND', 'no such upload')
    if (upload.attachments > 0) throw new Refusal('CONFLICT', 'the upload is attached; detach it first')
    await deleteUpload(em, upload)
    return { upload_id: upload.id, deleted: true as const }
  },
})
