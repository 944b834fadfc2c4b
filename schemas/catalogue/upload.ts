import Type, { type Static } from 'typebox'
import type { Upload as UploadRow } from '../../db/catalogue/upload.ts'
import { uploadTypes } from '../../domain/catalogue/upload.ts'
import { id, iso, Timestamp } from '../common.ts'

export const Upload = Type.Object(
  {
    upload_id: id('upl'),
    file_name: Type.String(),
    content_type: Type.Enum([...uploadTypes]),
    size: Type.Integer({ minimum: 1, description: 'In bytes.' }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    created_at: Timestamp,
  },
  { $id: 'Upload' },
)

export const presentUpload = (row: UploadRow): Static<typeof Upload> => ({
  upload_id: row.id,
  file_name: row.fileName,
  content_type: row.contentType,
  size: row.size,
  sha256: row.sha256,
  created_at: iso(row.createdAt),
})
