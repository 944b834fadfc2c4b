import type { Context, Next } from 'koa'
import helmet from 'koa-helmet'

/** Forms may be sent to any page, and the pages may be served without TLS on a developer's machine. */
const directives = { 'form-action': null, 'upgrade-insecure-requests': null }

/** Sets the headers of helmet. They are the same in all answers, so helmet is asked for them only once. */
export function createSecurityHeaders() {
  const headers = new Map<string, string>()
  const res = { setHeader: (name: string, value: string) => headers.set(name, value), removeHeader: () => undefined }
  const asked = helmet({ contentSecurityPolicy: { directives } })(
    { req: {}, res } as unknown as Context,
    async () => {},
  )
  if (!headers.has('X-XSS-Protection')) throw new Error('helmet has not set its last header at once')
  asked.catch(() => undefined)
  return (ctx: Context, next: Next): Promise<void> => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value)
    return next()
  }
}
