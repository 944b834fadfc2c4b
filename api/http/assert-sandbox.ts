import { Refusal } from '../../domain/refusal.ts'
import type { Caller } from './operation.ts'

/** Refuses a caller outside the sandbox. */
export function assertSandbox({ environment }: Caller): void {
  if (environment !== 'sandbox') throw new Refusal('SIMULATION_NOT_ALLOWED', 'only sandbox keys may simulate')
}
