// A worker process of the release that knows the changes of test/proof/releases/this-release.ts and does not take them.
import { runWorker } from '../run-worker.ts'

await runWorker(() => ({ dormant: ['waits-at-the-begin', 'waits-at-the-end'] }))
