import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Busboy } from 'busboy'
import type { Context } from 'koa'
import { uploadBytesMax } from '../domain/catalogue/upload.ts'
import { bytesOf } from './arriving.ts'
import { multipartParser } from './multipart.ts'

/** The file of a form, while it arrives. */
export type PostedFile = {
  name: string
  /** Its bytes. They end early where the file is too long for an upload. */
  bytes: AsyncIterable<Buffer>
  isTooLong: () => boolean
}

/** Of a form that is too long, this many bytes are read, so that its sender receives the answer. */
const readMax = 64 * 1024 * 1024
const limits = { fileSize: uploadBytesMax, files: 1, fields: 20, fieldSize: 2048, parts: 25, headerPairs: 20 }

/**
 * Reads a form with at most one file, in its part `file` (multipart/form-data). `work` gets the fields that come before
 * the file, and the file while it is still arriving, so that no file is held in memory. Null: it is no such form, or
 * the form has no file. What `work` does not read of the body is dropped.
 */
export async function withArrivingFile(
  ctx: Context,
  work: (form: URLSearchParams | null, file: PostedFile | null) => Promise<void>,
): Promise<void> {
  const parser = multipartParser(ctx, limits)
  if (!parser) return work(null, null)
  const fields = new URLSearchParams()
  parser.on('field', (name, value) => fields.append(name, value))
  const found = fileOf(parser)
  const reading = pipeline(Readable.from(arrivingIn(ctx)), parser).catch(() => undefined)
  const file = await found
  await work(fields, file)
  file?.drop()
  await reading
}

/** The file of a form, as soon as it begins. A browser sends an empty part without a name where none was chosen. */
function fileOf(parser: Busboy): Promise<(PostedFile & { drop: () => void }) | null> {
  return new Promise((resolve) => {
    parser.on('file', (part, stream, { filename }) => {
      stream.on('error', () => undefined) // whoever reads the file learns of it
      if (part !== 'file' || !filename) return stream.resume()
      const file = { name: filename, bytes: stream, isTooLong: () => stream.truncated === true }
      return resolve({ ...file, drop: () => void stream.resume() })
    })
    parser.on('close', () => resolve(null))
    parser.on('error', () => resolve(null))
  })
}

async function* arrivingIn(ctx: Context): AsyncIterable<Buffer> {
  let size = 0
  for await (const chunk of bytesOf(ctx)) {
    size += chunk.length
    if (size > readMax) throw new Error('the form is too long')
    yield chunk
  }
}
