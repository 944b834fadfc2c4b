import { crc32, deflateSync } from 'node:zlib'

/** A chunk of a PNG; `length` is what it says of itself. */
export function pngChunk(type: string, data: Uint8Array | string = '', length?: number): Buffer {
  const body = Buffer.concat([Buffer.from(type), Buffer.from(data)])
  const parts = [Buffer.alloc(4), body, Buffer.alloc(4)]
  parts[0]?.writeUInt32BE(length ?? body.length - 4)
  parts[2]?.writeUInt32BE(crc32(body))
  return Buffer.concat(parts)
}

/** A PNG of these chunks. */
export const pngOfChunks = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])

/** The header of a PNG; by default with red, green, blue and an alpha channel, of 8 bits each. */
export function pngHeader(width: number, height: number, { depth = 8, colorType = 6, interlace = 0 } = {}): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width)
  data.writeUInt32BE(height, 4)
  data.set([depth, colorType, 0, 0, interlace], 8)
  return pngChunk('IHDR', data)
}

export const pngPixels = (rows: Uint8Array): Buffer => pngChunk('IDAT', deflateSync(rows))

/** A black PNG with an alpha channel; `more` are chunks before its pixels. */
export const blackPng = (width: number, height: number, ...more: Buffer[]): Buffer =>
  pngOfChunks(pngHeader(width, height), ...more, pngPixels(Buffer.alloc(height * (1 + 4 * width))), pngChunk('IEND'))
