import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { SetupError } from './session.ts'

const HOST = '127.0.0.1'
const [LOWEST, HIGHEST] = [15_000, 32_000]
const TRIES_MAX = 1_000

/** The port that a variable of the environment asks for; undefined if it is not set. Another text is a SetupError. */
export function askedPort(name: string): number | undefined {
  const text = process.env[name]
  if (!text) return undefined
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new SetupError(`${name} must be a port from 0 to 65535: ${text} is none.`)
}

/** A free TCP port of this machine: `preferred` if it is free. With 0 any will do. */
export async function freePort(preferred = 0): Promise<number> {
  if (preferred !== 0 && (await isFree(preferred))) return preferred
  return (await freePorts(['port'])).port
}

/**
 * Free TCP ports, all different: none is given back before all are found. They lie below those that systems give out by
 * themselves, so that nobody gets one by chance meanwhile, and below 32,768, the most that Temporal's tables hold.
 */
export async function freePorts<const Names extends string>(names: readonly Names[]): Promise<Record<Names, number>> {
  const servers: Server[] = []
  for (let tries = 0; servers.length < names.length && tries < TRIES_MAX; tries++) {
    const server = await listen(randomInt(LOWEST, HIGHEST))
    if (server !== null) servers.push(server)
  }
  const ports = servers.map(portOf)
  await Promise.all(servers.map(close))
  if (ports.length < names.length) throw new Error(`this machine does not give ${names.length} free TCP ports`)
  return Object.fromEntries(names.map((name, index) => [name, ports[index]])) as Record<Names, number>
}

async function isFree(port: number): Promise<boolean> {
  const server = await listen(port)
  if (server !== null) await close(server)
  return server !== null
}

async function listen(port: number): Promise<Server | null> {
  const server = createServer().listen({ port, host: HOST, exclusive: true })
  try {
    await once(server, 'listening')
    return server
  } catch {
    return null
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

async function close(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
