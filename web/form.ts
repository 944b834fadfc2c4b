import type { Context } from 'koa'

const bytesMax = 16 * 1024
/** Of a form that is too long, this many bytes are read, so that its sender receives the answer. */
const readMax = 1024 * 1024

/** Reads a form (application/x-www-form-urlencoded, UTF-8). Null if it is not a form, or over 16 KB. */
export async function readForm(ctx: Context): Promise<URLSearchParams | null> {
  const type = ctx.get('content-type').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return null
  const { arriving } = ctx.state as { arriving: () => AsyncIterable<Buffer> }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of arriving()) {
    size += chunk.length
    if (size > readMax) return null
    if (size <= bytesMax) chunks.push(chunk)
  }
  if (size > bytesMax) return null
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
