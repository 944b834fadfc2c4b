// The floor of engine work: a worker with the SDK's default settings and an empty activity, in its own process.
import { fileURLToPath } from 'node:url'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'

Runtime.install({ logger: new DefaultLogger('WARN') })
const connection = await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' })
const worker = await Worker.create({
  connection,
  taskQueue: 'floor',
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities: { nothing: async () => undefined },
})
await worker.run()
await connection.close()
