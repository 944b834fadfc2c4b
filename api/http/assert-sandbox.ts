import { Refusal } from '../../domain/refusal.ts'
import type { Caller } from './operation.ts'

/** Refuses a caller outside the sandbox. */
export function assertSandbox({ environment }: Caller): void {
  if (environment === 'sandbox') return
  const detail = 'only sandbox keys may simulate: leave the simulation out, or use a sandbox key'
  throw new Refusal('SIMULATION_NOT_ALLOWED', detail)
}
