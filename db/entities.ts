import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { EntitySchema } from '@mikro-orm/core'
import { sandboxRailEntities } from '../rails/sandbox/entities.ts'
import { Customer } from './customer.ts'
import { Refund } from './refund.ts'

type Entity = typeof Customer | typeof Refund

const folder = new URL('./', import.meta.url)
const files = globSync('*/*.ts', { cwd: fileURLToPath(folder), exclude: ['migrations/**'] }).toSorted()
const modules = await Promise.all(
  files.map((file) => import(new URL(file, folder).href) as Promise<Record<string, Entity>>),
)

/** Whether a file's export is the class of a table: MikroORM knows these by `setClass`. */
const isEntity = (exported: Entity): boolean => EntitySchema.REGISTRY.has(exported)

/**
 * Every table of the service. The files of the areas are read by their folder, so that a new table is one new file; a
 * table that no file exports is missed by `npm run check`, which holds the migrations against this list.
 */
export const entities = [
  ...modules.flatMap((module) => Object.values(module).filter(isEntity)),
  Customer,
  Refund,
  ...sandboxRailEntities,
]
