import type { IncomingMessage } from 'node:http'
import type { Refusal } from '../domain/refusal.ts'
import { refusal } from './validate.ts'

const bytesMax = 100 * 1024

/** A body as it came and as it was understood. */
export type Body = { raw: Buffer; json: Record<string, unknown> }

/** Reads a JSON body of at most 100 KB. An empty one counts as `{}`. */
export async function readBody(request: IncomingMessage): Promise<Body> {
  const raw = await readBytes(request)
  if (raw.length === 0) return { raw, json: {} }
  const encoding = request.headers['content-encoding']
  if (encoding && encoding !== 'identity') throw invalidBody('must not be compressed')
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type !== 'application/json' && !type.endsWith('+json')) throw invalidBody('must be sent as application/json')
  const json = parse(raw)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw invalidBody('must be a JSON object')
  return { raw, json: json as Record<string, unknown> }
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop must not destroy the request: the connection is still needed for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length
    if (size > bytesMax) throw tooLarge()
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

const tooLarge = (): Refusal => invalidBody(`must be at most ${bytesMax / 1024} KB`, 'value_error.range')

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch {
    throw invalidBody('is not valid JSON in UTF-8') // the parser's own message would quote the body
  }
}

const invalidBody = (message: string, type = 'value_error.format') => refusal([{ field: 'body', message, type }])
