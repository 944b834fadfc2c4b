import { join } from 'node:path'
import { CACHE } from './paths.ts'

/**
 * How our processes run. A small nursery and a heap that grows in small steps cost a little time and save half of the
 * memory, as calls and tasks leave little behind.
 */
export const NODE_FLAGS = ['--max-semi-space-size=2', '--heap-growing-percent=30']

/**
 * Compiled code is kept beside the engine's binaries: without it every start strips the types of every file again. And
 * two heaps for the libraries written in C do: more of them, one for each thread, mostly hold what is free. Fixed
 * thresholds give back to the system what is free: otherwise the C library raises them with what it has seen.
 */
export const NODE_VARIABLES = {
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] || join(CACHE, 'compiled'),
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
}

/** The command of the API or of the worker. */
export const serviceCommand = (entry: string): string[] => [process.execPath, ...NODE_FLAGS, entry]
