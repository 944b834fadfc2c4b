// Prints the path of a `temporal` binary, getting one first if need be. For temporal-dev.sh.
import { runSession } from './infra/session.ts'
import { temporalBinary } from './infra/temporal-binary.ts'

await runSession(async () => {
  console.log(await temporalBinary((line) => console.error(line)))
  return 0
})
