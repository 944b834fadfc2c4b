import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTemporal, type Temporal } from '../../scripts/infra/temporal.ts'
import { startProxy } from './proxy.ts'

/** A scenario's own Temporal service, whose data can be lost or restored; its address stays the same. */
export async function startOwnEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-proof-engine-'))
  const files = { databaseFile: join(folder, 'temporal.db'), logFile: join(folder, 'temporal.log') }
  const parts = ['', '-wal', '-shm'].map((end) => ({ live: files.databaseFile + end, kept: `${folder}/kept${end}` }))
  const start = () => startTemporal({ ...files, ui: false, report: () => undefined })
  let service: Temporal = await start()
  const location = () => ({ host: '127.0.0.1', port: Number(service.address.split(':')[1]) })
  const proxy = await startProxy(location())

  /** Stops the service, changes its data, and starts it again. */
  async function whileStopped(act: () => void): Promise<void> {
    await proxy.shut()
    await service.child.stop()
    act()
    service = await start()
    await proxy.open(location())
  }
  const lose = () => parts.forEach(({ live }) => rmSync(live, { force: true }))

  return {
    address: `127.0.0.1:${proxy.port}`,
    /** The service comes back empty. */
    lose: () => whileStopped(lose),
    /** Copies its data. */
    backUp: () => whileStopped(() => parts.forEach(({ live, kept }) => existsSync(live) && cpSync(live, kept))),
    /** The service comes back as it was at the backup. */
    putBack: () =>
      whileStopped(() => {
        lose()
        for (const { live, kept } of parts) if (existsSync(kept)) cpSync(kept, live)
      }),
    async stop() {
      await proxy.shut()
      await service.child.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
