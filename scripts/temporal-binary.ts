// Prints the path of a `temporal` binary, and fetches or builds one first if there is none. For temporal-dev.sh.
import { runSession } from './infra/session.ts'
import { temporalBinary } from './infra/temporal-binary.ts'

await runSession(async () => {
  console.log(await temporalBinary((line) => console.error(line)))
  return 0
})
