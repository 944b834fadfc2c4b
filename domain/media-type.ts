/** The media type that a `Content-Type` header names, without its parameters, in lower case; null without a header. */
export const mediaTypeOf = (contentType: string | undefined): string | null =>
  contentType?.split(';')[0]?.trim().toLowerCase() ?? null
