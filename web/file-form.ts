import type { Readable } from 'node:stream'
import type { Busboy } from 'busboy'
import type { Context } from 'koa'
import { fileNameMax } from '../domain/catalogue/upload.ts'
import { isRecord } from '../domain/narrow.ts'
import type { SentFile } from './api.ts'
import { bytesOf } from './arriving.ts'
import { multipartParser } from './multipart.ts'

/** A form that was sent with a file. `file` is null where none was chosen, `too_large` where it has too many bytes. */
export type FileForm = { fields: URLSearchParams; file: SentFile | 'too_large' | null }

/** The bytes of all texts of a form together: each may be escaped or of several bytes a character. */
const textBytesMax = 2 * 1024 * 1024
const fieldBytesMax = 256 * 1024
/** A file that is larger than allowed is read to this size, so that its sender receives the answer. */
const readMax = 64 * 1024 * 1024

type Hold = (bytes: number) => void
type Room = <T>(owner: string, work: (place: { hold: Hold }) => Promise<T>) => Promise<T>

/**
 * Works with a form (multipart/form-data, UTF-8) that has texts, and at most one file in its part `file`. Null if it is
 * not such a form, or its texts are too long. Its bytes count against the memory that the process has for files, and
 * `owner` is whose they are: a process works with some forms of each at once, and throws a `Refusal` beyond that.
 */
export function withFileForm<T>(
  ctx: Context,
  { owner, fileBytesMax }: { owner: string; fileBytesMax: number },
  work: (form: FileForm | null) => Promise<T>,
): Promise<T> {
  const { withFormRoom } = ctx.state as { withFormRoom: Room }
  return withFormRoom(owner, async ({ hold }) => work(await readFileForm(ctx, fileBytesMax, hold)))
}

async function readFileForm(ctx: Context, fileBytesMax: number, hold: Hold): Promise<FileForm | null> {
  const limits = { fileSize: fileBytesMax + 1, files: 1, fieldSize: fieldBytesMax, fields: 100, headerPairs: 20 }
  const parser = multipartParser(ctx, limits)
  if (!parser) return null
  let isBroken = false
  parser.on('error', () => (isBroken = true))
  const ended = new Promise((resolve) => parser.once('close', resolve).once('error', resolve))
  const parts = collectParts(parser, fileBytesMax, hold)
  let size = 0
  for await (const chunk of bytesOf(ctx)) {
    size += chunk.length
    if (size > readMax || isBroken) return null
    parser.write(chunk)
    parts.assertRoom()
  }
  parser.end()
  if (!isBroken) await ended
  return isBroken ? null : parts.taken()
}

function collectParts(parser: Busboy, fileBytesMax: number, hold: Hold) {
  const fields = new URLSearchParams()
  const chunks: Buffer[] = []
  let name = ''
  let fileBytes = 0
  let textBytes = 0
  let isTooLong = false
  let refused: unknown = null
  const keep = (bytes: number): boolean => {
    try {
      if (refused === null) hold(bytes)
    } catch (error) {
      refused = error
    }
    return refused === null
  }
  parser.on('field', (field: string, text: string) => {
    textBytes += Buffer.byteLength(text)
    isTooLong ||= textBytes > textBytesMax
    if (!isTooLong && keep(text.length)) fields.append(field, text)
  })
  parser.on('file', (part: string, stream: Readable, about: { filename?: string }) => {
    stream.on('error', () => undefined) // the parser's own error says it
    if (part !== 'file') return stream.resume()
    name = [...(about.filename ?? '')].slice(-fileNameMax).join('')
    return stream.on('data', (chunk: Buffer) => {
      fileBytes += chunk.length
      if (fileBytes > fileBytesMax) chunks.length = 0
      else if (keep(chunk.length)) chunks.push(chunk)
    })
  })
  return {
    /** Throws the refusal of the memory for files. */
    assertRoom(): void {
      if (isRecord(refused)) throw refused
    },
    taken(): FileForm | null {
      if (isTooLong) return null
      if (fileBytes > fileBytesMax) return { fields, file: 'too_large' }
      const bytes = Buffer.concat(chunks)
      // A form in which no file was chosen has an empty one without a name.
      return { fields, file: name === '' && bytes.length === 0 ? null : { name: name || 'file', bytes } }
    },
  }
}
