import type { Context } from 'koa'
import { mediaTypeOf } from '../domain/media-type.ts'
import { bytesOf } from './arriving.ts'
import { withoutIsolation } from './isolated.ts'

/** Room for the longest form: in the onboarding 2,000 characters are sent twice, of nine bytes each in some scripts. */
const bytesMax = 64 * 1024
/** Of a form that is too long, this many bytes are read, so that its sender receives the answer. */
const readMax = 1024 * 1024

/** Reads a form (application/x-www-form-urlencoded, UTF-8). Null if it is not a form, or over 64 KB. */
export async function readForm(ctx: Context): Promise<URLSearchParams | null> {
  if (mediaTypeOf(ctx.get('content-type')) !== 'application/x-www-form-urlencoded') return null
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of bytesOf(ctx)) {
    size += chunk.length
    if (size > readMax) return null
    if (size <= bytesMax) chunks.push(chunk)
  }
  if (size > bytesMax) return null
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

/** A text as it was typed, without spaces around it; empty where there is none. */
export const typedText = (form: URLSearchParams, name: string): string => withoutIsolation(form.get(name) ?? '').trim()

/**
 * Whether a form was sent by our own page. Browsers report this in headers (Fetch Metadata; older ones Origin) that
 * other pages cannot forge. A request without these headers does not come from a browser with our cookies.
 */
export function isOwnForm(ctx: Context, publicUrl: string): boolean {
  const site = ctx.get('sec-fetch-site')
  if (site) return site === 'same-origin'
  const origin = URL.parse(ctx.get('origin'))
  return origin !== null && [ctx.host, URL.parse(publicUrl)?.host].includes(origin.host)
}
