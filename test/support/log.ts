import { Writable } from 'node:stream'
import { pino } from 'pino'
import { serializeError } from '../../engine/logger.ts'

/** A logger of every level, and the lines that it has written. */
export function startLog() {
  const lines: string[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  return { lines, logger: pino({ level: 'trace', serializers: { err: serializeError } }, sink) }
}
