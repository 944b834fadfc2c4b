/** The address of a platform or a merchant, encoded for links; null if it is no http(s) address. */
export function webAddress(address: string): string | null {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

/** The path on our host of a logo that the API names; null without one. */
export const logoPath = (url: string | null): string | null => url && new URL(url, 'http://localhost').pathname
