import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The bits of an IPv6 address that belong to one customer. The customer can change the other bits with each call. */
const networkBits = 64

/**
 * An IP address in its canonical form, or null if the text is not one. An IPv4 address inside an IPv6 one
 * (`::ffff:192.0.2.1`) becomes that IPv4 address. The port and the brackets that some proxies write are removed, and so
 * is a zone, which can be any text and has a meaning on one machine only.
 */
export function readAddress(text: string): string | null {
  const alone = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  const [bare = ''] = alone.split('%', 1)
  // A short cut for IPv4: every call runs this, and the library would need a tenth of a read's time.
  const mapped = bare.startsWith('::ffff:') ? bare.slice('::ffff:'.length) : bare
  if (isIPv4(mapped)) return mapped
  if (!ipaddr.IPv6.isValid(bare)) return null
  return ipaddr.process(bare).toString()
}

/** The name under which calls of an address are counted: the IPv4 address itself, or the /64 network in IPv6. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const groups = parsed.parts.map((part, index) => (index * 16 < networkBits ? part : 0))
  return `${new ipaddr.IPv6(groups).toString()}/${networkBits}`
}
