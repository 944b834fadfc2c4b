import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'

const require = createRequire(import.meta.url)
let unpacked: Uint8Array | null = null

/**
 * GNU Unifont, as a TrueType file: the letters of nearly all scripts, plainly drawn. It is unpacked when a text needs
 * it for the first time, as it takes 12 MB then.
 */
export const spareFont = (): Uint8Array =>
  (unpacked ??= unpackFont(readFileSync(require.resolve('@fontsource/unifont/files/unifont-latin-400-normal.woff'))))

const [woffHead, woffEntry, ttfHead, ttfEntry] = [44, 20, 12, 16]

/**
 * The TrueType file in a WOFF one (W3C, WOFF File Format 1.0). fontkit reads WOFF too, but inflates a table anew for
 * each letter: a name took 40 seconds.
 */
function unpackFont(woff: Buffer): Uint8Array {
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(ttfHead + count * ttfEntry)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  const tables: Buffer[] = []
  let end = head.length
  for (let n = 0; n < count; n += 1) {
    const at = woffHead + n * woffEntry
    const [from, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field)) as [number, number, number]
    const stored = woff.subarray(from, from + packed)
    const table = packed < length ? inflateSync(stored) : stored
    const entry = ttfHead + n * ttfEntry
    woff.copy(head, entry, at, at + 4) // its name
    woff.copy(head, entry + 4, at + 16, at + 20) // its checksum
    head.writeUInt32BE(end, entry + 8)
    head.writeUInt32BE(length, entry + 12)
    const padding = Buffer.alloc(-length & 3)
    tables.push(table, padding)
    end += length + padding.length
  }
  return Buffer.concat([head, ...tables])
}
