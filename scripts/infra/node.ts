import { join } from 'node:path'
import { CACHE } from './paths.ts'

/**
 * The flags of our Node processes. The young generation is half as large as by default, which costs a few hundredths of
 * the time. The old one grows by less than a third before it is collected: by default it reaches twice the memory. One
 * thread collects the young one: sharing so little work costs more than the work. The image has the same flags.
 */
export const NODE_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=30', '--no-parallel-scavenge']

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
