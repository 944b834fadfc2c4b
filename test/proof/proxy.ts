import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** What happens to a client's data: it is forwarded; the connection is cut; or it is forwarded and the answer lost. */
export type Fate = 'forward' | 'cut' | 'forward and cut'
/** `connection` is the same for all data of one client's connection. */
export type Inspect = (chunk: Buffer, connection: object) => Fate

const sendOn: Inspect = () => 'forward'

/** A proxy between our processes and a service: it can shut, fall silent, change its target or inspect the data. */
export async function startProxy(target: { host: string; port: number }) {
  const pairs = new Set<[Socket, Socket]>()
  const waiting = new Set<Socket>()
  let to = target
  let inspect = sendOn
  let silent = false

  function join(near: Socket): void {
    const far = connect(to)
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    const cut = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of pair) socket.setNoDelay(true).on('error', cut).on('close', cut)
    near.on('data', (chunk: Buffer) => {
      const fate = inspect(chunk, near)
      if (fate === 'forward') far.write(chunk)
      else if (fate === 'cut') cut()
      else {
        near.off('close', cut).destroy()
        far.end(chunk) // the service reads all of it, and then sees that its client has closed
      }
    })
    far.on('data', (chunk: Buffer) => void (near.destroyed || near.write(chunk)))
    near.resume()
  }

  const server: Server = createServer({ pauseOnConnect: true }, (near) => {
    near.on('error', () => near.destroy())
    if (silent) waiting.add(near)
    else join(near)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo

  return {
    port,
    inspect: (next: Inspect = sendOn) => void (inspect = next),
    /** Accepts and answers nothing, like a frozen service or a lost route. */
    hush() {
      silent = true
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    speak() {
      silent = false
      for (const pair of pairs) for (const socket of pair) socket.resume()
      for (const near of waiting) join(near)
      waiting.clear()
    },
    /** Refuses connections and ends the present ones. */
    async shut() {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      for (const near of waiting) near.destroy()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
    /** Accepts connections again, to `next` if the service has moved. */
    async open(next = to) {
      to = next
      silent = false
      await listen(port)
    },
  }
}

export type Proxy = Awaited<ReturnType<typeof startProxy>>
