import type { IncomingMessage } from 'node:http'
import type { Refusal } from '../../domain/refusal.ts'
import { takeShare } from './long-bodies.ts'
import { readArriving } from './read-arriving.ts'
import { validationRefusal } from './validate.ts'
import { parseWith, type Reviver } from '../../domain/exact-json.ts'
import { mediaTypeOf } from '../../domain/media-type.ts'
import { fieldsOf, isRecord } from '../../domain/narrow.ts'

const depthMax = 20
/** The time of a check grows with the number of fields. No call needs as many. */
const valuesMax = 15_000

/** A body: its raw bytes and the parsed JSON. */
export type Body = { raw: Buffer; json: Record<string, unknown> }

/** Reads a JSON body of at most `bytesMax` bytes, sent by an organization. An empty one counts as `{}`. */
export async function readBody(request: IncomingMessage, bytesMax: number, accountId: string): Promise<Body> {
  const raw = await readBytes(request, bytesMax, accountId)
  if (raw.length === 0) return { raw, json: {} }
  const encoding = request.headers['content-encoding']
  if (encoding && encoding !== 'identity') throw invalidBody('must not be compressed')
  const type = mediaTypeOf(request.headers['content-type']) ?? ''
  if (type !== 'application/json' && !type.endsWith('+json')) throw invalidBody('must be sent as application/json')
  const json = parse(raw)
  if (!isRecord(json) || Array.isArray(json)) throw invalidBody('must be a JSON object')
  const tooDeep = Object.entries(json).filter(([, value]) => isDeeperThan(depthMax - 1, value))
  if (tooDeep.length > 0) throw validationRefusal(tooDeep.map(([field]) => ({ field, ...deep })))
  if (holdsMoreThan(valuesMax, json)) throw invalidBody(tooMany, 'value_error.range')
  return { raw, json }
}

const tooMany = `must have at most ${valuesMax} fields and items`
const deep = { message: `is nested deeper than ${depthMax} levels`, type: 'value_error.range' }

/** Checks level by level, without recursion: later steps recurse through the body and would overflow the stack. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.flatMap(valuesIn)
  }
  return false
}

/** Whether there are more fields and items than this, at all depths together. */
function holdsMoreThan(values: number, body: object): boolean {
  let count = 0
  for (let level = valuesIn(body); level.length > 0; level = level.flatMap(valuesIn)) {
    count += level.length
    if (count > values) return true
  }
  return false
}

const valuesIn = (value: unknown): unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : []

/**
 * Reads the bytes of a body, exactly as they arrive. Refuses one of more than `bytesMax` bytes, and for the moment one
 * that is longer than usual while many of those are arriving, of this sender or of all.
 */
export async function readBytes(request: IncomingMessage, bytesMax: number, sender: string): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  const chunks: Buffer[] = []
  const share = takeShare(sender)
  let size = 0
  try {
    for await (const chunk of readArriving(request)) {
      size += chunk.length
      if (size > bytesMax) throw tooLarge(bytesMax)
      share.hold(size)
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    share.free()
  }
}

const tooLarge = (bytesMax: number): Refusal =>
  invalidBody(`must be at most ${bytesMax / 1024} KB`, 'value_error.range')

function parse(raw: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw))
  } catch (error) {
    throw invalidBody(`is not valid JSON in UTF-8${placeIn(error)}`)
  }
}

/** Where the parser has stopped, if it says so. Its own words may quote the body, which may hold a card. */
function placeIn(error: unknown): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(String(error)) ?? []
  return line && column ? `: look at line ${line}, column ${column}` : ''
}

/** A number of a body, as its source text. */
class Digits {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Returns the source text of a number at the top level of a body; undefined for any other value. */
export function digitsIn(body: Body | null): (field: string) => string | undefined {
  const toDigits: Reviver = (_, value, { source }) =>
    source !== undefined && typeof value === 'number' ? new Digits(source) : value
  const read = (raw: Buffer) => (raw.length === 0 ? {} : fieldsOf(parseWith(new TextDecoder().decode(raw), toDigits)))
  let known: Record<string, unknown> | undefined
  return (field) => {
    known ??= body ? read(body.raw) : {}
    const found = Object.hasOwn(known, field) ? known[field] : undefined
    return found instanceof Digits ? found.text : undefined
  }
}

const invalidBody = (message: string, type = 'value_error.format') =>
  validationRefusal([{ field: 'body', message, type }])
