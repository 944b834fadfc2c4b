import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy in front of a service, whose connections a test cuts. */
export async function startCuttingProxy(target: string) {
  const { port, hostname } = new URL(target)
  const sockets = new Set<Socket>()
  const calling = new Set<Socket>()
  const limits: number[] = []
  let usualLimit = Infinity
  let isDown = false
  let opened = 0
  const server = createServer((from) => {
    if (isDown) return void from.destroy()
    opened++
    const limit = limits.shift() ?? usualLimit
    const to = connect(Number(port), hostname)
    let passed = 0
    const end = () => {
      calling.delete(from)
      for (const socket of [from, to]) {
        socket.destroy()
        sockets.delete(socket)
      }
    }
    for (const socket of [from, to]) sockets.add(socket.on('error', end).on('close', end))
    from.once('data', () => calling.add(from))
    from.pipe(to)
    to.on('data', (chunk: Buffer) => {
      const left = limit - passed
      passed += chunk.length
      if (chunk.length <= left) from.write(chunk)
      else from.write(chunk.subarray(0, Math.max(0, left)), end)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How many connections have been passed on so far. */
    opened: () => opened,
    /** How many are open over which something was asked: `fetch` opens one in reserve when another is closed. */
    open: () => calling.size,
    /** Cuts the connections that are open. */
    cut,
    /** Cuts each further connection after so many bytes of its answer. */
    cutAfter: (bytes: number) => void (usualLimit = bytes),
    /** Cuts the next connections, each after so many bytes of its answer. */
    cutNext: (...bytes: number[]) => void limits.push(...bytes),
    /** Refuses every connection from now on, and cuts the open ones. */
    goDown(): void {
      isDown = true
      cut()
    },
    comeUp: () => void (isDown = false),
    close(): void {
      cut()
      server.close()
    },
  }
}
