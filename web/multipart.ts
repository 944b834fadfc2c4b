import busboy, { type Busboy, type Limits } from 'busboy'
import type { Context } from 'koa'
import { mediaTypeOf } from '../domain/media-type.ts'

/** The parser of a form (multipart/form-data, UTF-8) within `limits`; null if the body of the call is no such form. */
export function multipartParser({ headers }: Context, limits: Limits): Busboy | null {
  if (mediaTypeOf(headers['content-type']) !== 'multipart/form-data') return null
  try {
    return busboy({ headers, limits, defParamCharset: 'utf8' })
  } catch {
    return null // without a boundary
  }
}
