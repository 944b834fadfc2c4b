import { deploy } from '../proof/deployment.ts'
import { startProxy } from '../proof/proxy.ts'
import { use } from './use.ts'

/**
 * Processes that serve metrics, each on a free port. Those that are started with `throughProxy` lose their database
 * while the proxy is shut.
 */
export async function useMeteredDeployment() {
  const admin = new URL(process.env['TEST_DATABASE_ADMIN_URL'] ?? '')
  const proxy = await use(
    () => startProxy({ host: admin.hostname, port: Number(admin.port) }),
    (started) => started.shut(),
  )
  const deployment = await use(
    () => deploy({ env: { METRICS_PORT: '0' } }),
    (started) => started.stop(),
  )
  const url = new URL(deployment.databaseUrl)
  url.port = String(proxy.port)
  return { proxy, deployment, throughProxy: { DATABASE_URL: url.href } }
}
