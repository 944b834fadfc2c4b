/** The address of a platform or a merchant, encoded for links and headers; null if it is no http(s) address. */
export function webAddress(address: string): string | null {
  const url = URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

/** The address of an upload, relative to the host of the page, which also serves the uploads. */
export const uploadPath = (address: string): string => new URL(address, 'http://localhost').pathname
