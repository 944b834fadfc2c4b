import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migratedDatabase } from '../../scripts/infra/database.ts'
import { startPostgres } from '../../scripts/infra/postgres.ts'
import { startProxy } from './proxy.ts'

/**
 * A separate Postgres behind a proxy: clients keep one port although the server restarts on another. Its data are in
 * `dataDir`, if given, and its log in the folder.
 */
export async function startMovingPostgres(
  folder: string,
  { dataDir = join(folder, 'postgres'), settings = [] }: { dataDir?: string; settings?: string[] } = {},
) {
  chmodSync(folder, 0o711) // run as root, Postgres belongs to another user, who must enter the folder
  const how = { dataDir, logFile: join(folder, 'postgres.log'), password: 'proof', careless: true, settings }
  let server = await startPostgres(how)
  const address = () => ({ host: '127.0.0.1', port: Number(new URL(server.url('proof')).port) })
  const url = new URL(await migratedDatabase(server.url, 'proof'))
  const proxy = await startProxy(address())
  url.port = String(proxy.port)
  return {
    proxy,
    url: url.href,
    isRunning: () => server.child.isRunning(),
    log: () => readFileSync(how.logFile, 'utf8'),
    async restart() {
      await server.child.stop()
      await proxy.shut()
      server = await startPostgres(how)
      await proxy.open(address())
    },
    async stop() {
      await proxy.shut()
      await server.child.stop()
    },
  }
}

export type MovingPostgres = Awaited<ReturnType<typeof startMovingPostgres>>
