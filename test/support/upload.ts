import type { Merchant, Reply } from './merchant.ts'
import type { Stack } from './stack.ts'

/** The smallest image of each kind. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
export const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
export const webp = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=', 'base64')
export const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n')

/** A PNG of `size` bytes. */
export const pngOf = (size: number): Buffer => Buffer.concat([png], size)

type Part = { part?: string; name?: string | null; type?: string; bytes: Buffer | string }

export const boundary = 'the-boundary'
export const formType = `multipart/form-data; boundary=${boundary}`

/** A multipart body, byte for byte. */
export const form = (parts: Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ part = 'file', name = 'image.png', type = 'image/png', bytes }) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${part}"`),
      Buffer.from(name === null ? '\r\n\r\n' : `; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])

export const pdfForm = form([{ bytes: pdf, name: 'terms.pdf', type: 'application/pdf' }]).toString()

/** Sends a body of any bytes, with a length or in chunks. */
export async function sendBytes(
  { baseUrl, apiKey }: Merchant,
  body: Buffer | ReadableStream,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(`${baseUrl}/v1/utilities/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': formType, ...headers },
    body: body as Buffer<ArrayBuffer>,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit)
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

/** Uploads a file as merchants do, with a generated boundary. */
export async function sendFile(
  merchant: Merchant,
  bytes: Buffer,
  name = 'image.png',
  headers: Record<string, string> = {},
): Promise<Reply> {
  const sent = new FormData()
  sent.append('file', new Blob([new Uint8Array(bytes)]), name)
  const { baseUrl, apiKey } = merchant
  const response = await fetch(`${baseUrl}/v1/utilities/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
    body: sent,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

/** Uploads an image and returns its id. */
export async function addImage(merchant: Merchant, bytes: Buffer = png): Promise<string> {
  const { status, text, body } = await sendFile(merchant, bytes)
  if (status !== 201) throw new Error(text)
  return String(body['upload_id'])
}

/** Shows an upload publicly, whatever its type, as a product does with its image. */
export async function showPublicly({ sql, merchant }: Pick<Stack, 'sql' | 'merchant'>, uploadId: string) {
  const { body } = await merchant.call('POST', '/v1/products', { name: 'A', price_type: 'free', currency: 'USD' })
  await sql('update products set image_ids = array[?] where id = ?', [uploadId, body['product_id']])
  await sql(`update uploads set attachments = 1, unattached_since = null, visibility = 'public' where id = ?`, [
    uploadId,
  ])
}
