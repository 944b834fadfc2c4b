import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The bits of an IPv6 address that a network gives its customer; the others are chosen, another one for each call. */
const networkBits = 64

/**
 * An IP address in its one written form, or null for what is none. An IPv4 address inside an IPv6 one
 * (`::ffff:192.0.2.1`) is that IPv4 address. The port and the brackets that some proxies write are left out, and so is
 * a zone, which can be any text and means something on one machine only.
 */
export function readAddress(text: string): string | null {
  const alone = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  const [bare = ''] = alone.split('%', 1)
  // Every call comes by here, and the library takes a tenth of a read's time for an IPv4 address.
  const mapped = bare.startsWith('::ffff:') ? bare.slice('::ffff:'.length) : bare
  if (isIPv4(mapped)) return mapped
  if (!ipaddr.IPv6.isValid(bare)) return null
  return ipaddr.process(bare).toString()
}

/** Whom an address stands for where callers are counted: itself, and in IPv6 its /64. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.map((part, index) => (index * 16 < networkBits ? part : 0))
  return `${new ipaddr.IPv6(groups).toString()}/${networkBits}`
}
