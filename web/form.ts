import type { IncomingMessage } from 'node:http'

const bytesMax = 16 * 1024

/** Reads what a form sent (application/x-www-form-urlencoded, UTF-8); null when it is no form or over 16 KB. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return null
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size <= bytesMax) chunks.push(chunk as Buffer) // the rest is read but not kept, so that an answer can be sent
  }
  if (size > bytesMax) return null
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
