import { join } from 'node:path'
import { CACHE } from './paths.ts'

/**
 * Flags of our processes. A small nursery and a heap that grows in small steps cost a little time and save half of the
 * memory, as calls and tasks leave little behind.
 */
export const NODE_FLAGS = {
  'api/main.ts': ['--max-semi-space-size=2'],
  'engine/worker.ts': ['--max-semi-space-size=4', '--heap-growing-percent=50'],
} as const
type Entry = keyof typeof NODE_FLAGS

/** Compiled code is kept beside the engine's binaries: without it every start strips the types of every file again. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] || join(CACHE, 'compiled') }

/** How our API and worker are started. */
export const serviceCommand = (entry: Entry): string[] => [process.execPath, ...NODE_FLAGS[entry], entry]
