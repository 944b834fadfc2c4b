import type { ProcessName } from '../../domain/processes.ts'
import type { Receiver } from './receiver.ts'
import type { Stack } from './stack.ts'

/**
 * One life of a process, which `play` acts out; it returns the process's resource id. For a process that never ends, a
 * life is one of its runs, whose end `play` has waited for.
 */
export type Life = { process: ProcessName; play: (stack: Stack, receiver: Receiver) => Promise<string | Run> }
export type Run = { id: string; runId: string }
