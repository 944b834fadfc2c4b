import { join } from 'node:path'
import { CACHE } from './paths.ts'

/**
 * How our processes run. A small nursery and a heap that grows in small steps cost a little time and save half of the
 * memory, as calls and tasks leave little behind.
 */
export const NODE_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=50']

/** Compiled code is kept beside the engine's binaries: without it every start strips the types of every file again. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] || join(CACHE, 'compiled') }

/** The command of the API or of the worker. */
export const serviceCommand = (entry: string): string[] => [process.execPath, ...NODE_FLAGS, entry]
