import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import busboy, { type Busboy } from 'busboy'
import { charactersIn } from '../../domain/characters.ts'
import { invalid, type Refusal } from '../../domain/refusal.ts'
import { mediaTypeOf } from '../../domain/media-type.ts'
import { fileNameMax, uploadBytesMax } from '../../domain/catalogue/upload.ts'
import { readArriving } from './read-arriving.ts'
import type { Place } from './form-room.ts'
import type { Body } from './read-body.ts'

/** The file of a multipart body, in memory. */
export type UploadedFile = { name: string; bytes: Buffer; sha256: string }

/** A multipart body: `json` holds the file's name only, `raw` the bytes by which two bodies are compared. */
export type MultipartBody = Body & { file: UploadedFile | null }

/** The bytes that a body may hold besides its file: boundaries, headers, ignored parts. */
const besidesMax = 64 * 1024
const partsMax = 20

/**
 * Reads a multipart body with one file, in its part `file`. Refuses it as soon as it is too long, while it is still
 * arriving. Other parts are ignored, like unknown fields. `place` accounts for the memory.
 */
export async function readMultipart(request: IncomingMessage, place: Place): Promise<MultipartBody> {
  if (Number(request.headers['content-length'] ?? 0) > uploadBytesMax + besidesMax) throw tooLarge()
  const parser = createParser(request)
  const file = collectFile(parser)
  let isBroken = false
  const ended = new Promise((resolve) => parser.once('close', resolve).once('error', resolve))
  parser.on('error', () => (isBroken = true)) // the parser goes on after an error, and may meet another one
  let size = 0
  for await (const chunk of readArriving(request)) {
    size += chunk.length
    if (size > uploadBytesMax + besidesMax) throw tooLarge()
    place.hold(chunk.length)
    parser.write(chunk)
    const error = isBroken ? malformed() : file.error()
    if (error) throw error
  }
  parser.end()
  if (!isBroken) await ended
  if (isBroken) throw malformed()
  return bodyOf(file.taken())
}

function createParser({ headers }: IncomingMessage): Busboy {
  if (mediaTypeOf(headers['content-type']) !== 'multipart/form-data')
    throw malformed('must be sent as multipart/form-data')
  const limits = { fileSize: uploadBytesMax + 1, fieldSize: 1024, parts: partsMax, headerPairs: 20 }
  try {
    return busboy({ headers, limits, defParamCharset: 'utf8' })
  } catch {
    throw malformed() // without a boundary
  }
}

const nameTooLong = `must have a name of at most ${fileNameMax} characters`

/** Collects the bytes of the part `file`, and the first error in it. */
function collectFile(parser: Busboy) {
  const chunks: Buffer[] = []
  let name: string | null = null
  let size = 0
  let error: Refusal | null = null
  parser.on('file', (part: string, stream: Readable, about: { filename?: string }) => {
    stream.on('error', () => undefined) // the parser's own error says it
    if (part !== 'file') return stream.resume()
    if (name !== null) error ??= invalid('file', 'must be one file', 'value_error')
    name = about.filename || 'file'
    if (charactersIn(name) > fileNameMax) error ??= invalid('file', nameTooLong)
    return stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > uploadBytesMax) error ??= tooLarge()
      if (!error) chunks.push(chunk)
    })
  })
  parser.on('field', (part: string) => {
    if (part === 'file') error ??= invalid('file', 'must be sent as a file, with a file name', 'value_error.type')
  })
  parser.on('partsLimit', () => (error ??= malformed(`must have at most ${partsMax} parts`, 'value_error.range')))
  return {
    error: () => error,
    taken(): Omit<UploadedFile, 'sha256'> | null {
      if (error) throw error
      if (name === null) return null
      if (size === 0) throw invalid('file', 'must not be empty', 'value_error.range')
      return { name, bytes: Buffer.concat(chunks) }
    },
  }
}

/** Two bodies are the same if their files are: clients choose a new boundary for each try. */
function bodyOf(taken: Omit<UploadedFile, 'sha256'> | null): MultipartBody {
  if (!taken) return { raw: Buffer.alloc(0), json: {}, file: null }
  const sha256 = createHash('sha256').update(taken.bytes).digest('hex')
  return {
    raw: Buffer.from(JSON.stringify([taken.name, sha256])),
    json: { file: taken.name },
    file: { ...taken, sha256 },
  }
}

const tooLarge = (): Refusal =>
  invalid('file', `must be at most ${uploadBytesMax / 1024 / 1024} MB`, 'value_error.range')

const malformed = (message = 'must be a complete multipart form', type?: string): Refusal =>
  invalid('body', message, type)
