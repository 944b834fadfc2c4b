import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { readContent, type Upload } from '../../db/catalogue/upload.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { isImage } from '../../domain/catalogue/upload.ts'

/**
 * Answers with the bytes of an upload, a piece at a time. The headers make a browser use the content type that we
 * detected, and run no script in the file.
 */
export function answerWithUpload(ctx: Context, em: EntityManager, upload: Readonly<Upload>): void {
  ctx.set({
    'Content-Disposition': disposition(upload),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
  })
  ctx.status = 200
  ctx.type = upload.contentType
  ctx.body = Readable.from(readContent(em, upload), { objectMode: false })
  ctx.length = upload.size
}

/** A browser shows an image inline, and saves a document under its own name. */
function disposition({ contentType, fileName }: Readonly<Upload>): string {
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${isImage(contentType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded}`
}
