import { join } from 'node:path'
import { CACHE } from './paths.ts'

/**
 * The flags of our Node processes. A small young generation costs a little time and saves half of the memory, as calls
 * and tasks leave few objects behind. One thread collects it: sharing so little work costs more than the work.
 */
export const NODE_FLAGS = ['--max-semi-space-size=4', '--no-parallel-scavenge']

/**
 * Compiled code is cached beside the engine's binaries: without the cache every start strips the types of every file
 * again. Two heaps are enough for the libraries written in C: one for each thread would mostly hold free memory. Fixed
 * thresholds return free memory to the system: otherwise the C library raises them after large allocations.
 */
export const NODE_VARIABLES = {
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] || join(CACHE, 'compiled'),
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
}

/** The command of the API or of the worker. */
export const serviceCommand = (entry: string): string[] => [process.execPath, ...NODE_FLAGS, entry]
