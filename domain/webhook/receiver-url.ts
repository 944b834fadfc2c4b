import ipaddr from 'ipaddr.js'

/** Why a URL cannot be a receiver, before anything is looked up. */
export type UrlError = 'invalid_url' | 'url_too_long' | 'https_required' | 'user_info' | 'blocked_address'

const urlLengthMax = 2048

/** The only ways to loopback, and only with `allowLoopback`; any other name that resolves to 127.0.0.1 is refused. */
export const loopback = new Map([
  ['127.0.0.1', '127.0.0.1'],
  ['localhost', '127.0.0.1'],
  ['::1', '::1'],
])
/**
 * Names that never lead to the public internet. They are refused early, so that the merchant gets the error when
 * configuring the endpoint.
 */
const localName = /(^|\.)(localhost|local|internal|home\.arpa)$/
/** The host agent of a large cloud provider, whose address is in a public range. */
const deniedAddresses = new Set(['168.63.129.16'])
const globalUnicast6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/** Removes the brackets of IPv6 and the root dot, which are not part of the host. */
export const normalizeHost = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Whether text is an address in its plain form: no hex, no octal, no missing part. */
const isAddress = (host: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(host) || ipaddr.IPv6.isValid(host)

/**
 * Plain global unicast. `parse`, not `process`: an IPv4-mapped address stays what it is and is refused, like NAT64,
 * 6to4 and Teredo, which all carry an IPv4 address that nobody checked. Outside 2000::/3 no IPv6 address is global,
 * which leaves out ::a.b.c.d as well.
 */
export function isPublicAddress(address: string): boolean {
  if (!isAddress(address) || address.includes('%') || deniedAddresses.has(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast6)
}

/**
 * The error of a receiver's URL that shows before anything is looked up, or null. The URL standard has already turned
 * decimal, hex and octal hosts into plain ones. The addresses of a name are checked at every connection, not here.
 */
export function urlError(text: string, allowLoopback: boolean): UrlError | null {
  if (text.length > urlLengthMax) return 'url_too_long'
  const url = URL.parse(text)
  if (url === null) return 'invalid_url'
  if (url.username !== '' || url.password !== '') return 'user_info'
  const host = normalizeHost(url.hostname)
  const isLoopback = allowLoopback && loopback.has(host)
  if (url.protocol !== 'https:' && !(isLoopback && url.protocol === 'http:')) return 'https_required'
  if (isLoopback) return null
  const isBlocked = isAddress(host) ? !isPublicAddress(host) : localName.test(host)
  return isBlocked ? 'blocked_address' : null
}
