import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { Operation, StreamAnswer } from './operation.ts'

/** How much of a stream waits for its caller, before no more of it is made. */
const aheadBytes = 16 * 1024

/** Sends a stream as far as its caller takes it. The connection ends with it, so that no process waits for it. */
export function sendStream(
  ctx: Context,
  { parts, connection }: StreamAnswer,
  type: NonNullable<Operation['returnsStream']>,
): void {
  ctx.status = 200
  // No proxy waits for more of it before it passes on what has come.
  ctx.set({ 'Content-Type': type, 'X-Accel-Buffering': 'no', Connection: 'close' })
  const { res, req } = ctx
  if (ctx.method === 'HEAD' || req.socket.destroyed) {
    connection.onClosed()
    ctx.body = ''
    return
  }
  res.once('close', () => connection.onClosed())
  connection.onOpen(() => void res.destroy())
  ctx.body = Readable.from(parts, { objectMode: false, highWaterMark: aheadBytes })
}
