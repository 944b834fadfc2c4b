import { runSession } from './infra/session.ts'
import { findDrift } from './drift.ts'
await runSession(async (session) => {
  console.log((await findDrift(session)) ?? 'none')
  return 0
})
