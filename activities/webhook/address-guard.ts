import { Resolver } from 'node:dns/promises'
import net from 'node:net'
import tls from 'node:tls'
import { isPublicAddress, loopback, normalizeHost } from '../../domain/webhook/receiver-url.ts'

export type ConnectError =
  | 'blocked_address'
  | 'dns'
  | 'timeout'
  | 'connection_refused'
  | 'unreachable'
  | 'reset'
  | 'tls'
  | 'closed'

/** A failed connection. It has the reason only: no address, header or body may reach a log through an error. */
export class ConnectFailure extends Error {
  readonly reason: ConnectError
  constructor(reason: ConnectError) {
    super(reason)
    this.reason = reason
  }
}

/** All addresses of a host name, IPv4 before IPv6. Rejects or returns [] where there are none. */
export type Lookup = (hostname: string) => Promise<string[]>
export type Guard = { allowLoopback: boolean; lookup: Lookup; ca?: string | undefined }
type Target = { protocol: string; hostname: string; port: string }

const addressesTriedMax = 4
const addressAttemptTimeoutMs = 2_000

/**
 * Asks the name servers directly. `dns.lookup` would occupy one of the four threads of the pool for as long as a
 * merchant's name server stays silent, and files and hashing would wait behind it.
 */
export function lookUpPublicAddress(nameServers?: readonly string[]): { lookup: Lookup; cancel: () => void } {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (nameServers) resolver.setServers(nameServers)
  return {
    async lookup(hostname) {
      const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
      return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    },
    cancel: () => resolver.cancel(),
  }
}

/**
 * Opens a socket, with TLS where the URL says so, to an address that passed the guard; `signal` ends every phase of it.
 * One forbidden address refuses the whole name. The socket connects to the very address that was checked, so a second
 * answer of the name server changes nothing, and the connected address is checked once more before a byte is sent.
 * Rejects with `ConnectFailure`.
 */
export async function openGuardedSocket(target: Target, guard: Guard, signal: AbortSignal): Promise<net.Socket> {
  signal.throwIfAborted()
  const host = normalizeHost(target.hostname)
  const home = guard.allowLoopback ? loopback.get(host) : undefined
  const addresses = home === undefined ? await publicAddresses(host, guard.lookup, signal) : [home]

  const socket = dial(addresses, Number(target.port) || (target.protocol === 'https:' ? 443 : 80))
  await ready(socket, 'connect', signal)
  const connected = socket.remoteAddress ?? ''
  if (connected !== home && !isPublicAddress(connected)) {
    socket.destroy()
    throw new ConnectFailure('blocked_address')
  }
  if (target.protocol !== 'https:') return socket

  const secured = tls.connect({
    socket,
    host,
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true, // explicit, so that no environment variable can switch it off
    ...(net.isIP(host) === 0 && { servername: host }),
    ...(guard.ca !== undefined && { ca: guard.ca }),
  })
  await ready(secured, 'secureConnect', signal)
  return secured
}

async function publicAddresses(host: string, lookup: Lookup, signal: AbortSignal): Promise<string[]> {
  const addresses = net.isIP(host) === 0 ? await within(signal, lookup(host)) : [host]
  if (addresses.length === 0) throw new ConnectFailure('dns')
  if (!addresses.every(isPublicAddress)) throw new ConnectFailure('blocked_address')
  return addresses
}

async function within(signal: AbortSignal, looking: Promise<string[]>): Promise<string[]> {
  const ended = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
  return await Promise.race([looking.catch(() => []), ended])
}

function dial(addresses: string[], port: number): net.Socket {
  const found = addresses.slice(0, addressesTriedMax).map((address) => ({ address, family: net.isIP(address) }))
  return net.connect({
    host: 'checked', // never resolved by DNS: `lookup` returns the checked address
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressAttemptTimeoutMs,
    lookup: (_hostname, _options, answer) => answer(null, found),
  })
}

/** Waits for the event. The error listener stays on, so that a late error of a socket in transit is not fatal. */
function ready(socket: net.Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: ConnectError) => {
      socket.destroy()
      reject(signal.aborted ? signal.reason : new ConnectFailure(reason))
    }
    const abort = () => fail('timeout')
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    socket.on('error', (error: NodeJS.ErrnoException) => fail(connectError(error.code, event)))
    socket.once('close', () => fail('reset'))
    socket.once(event, () => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
  })
}

function connectError(code: string | undefined, event: 'connect' | 'secureConnect'): ConnectError {
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'reset'
  if (event === 'secureConnect') return 'tls'
  if (code === 'ECONNREFUSED') return 'connection_refused'
  return code === 'ETIMEDOUT' || code === 'ERR_SOCKET_CONNECTION_TIMEOUT' ? 'timeout' : 'unreachable'
}
