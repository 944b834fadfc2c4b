import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type EntityClass, EntitySchema } from '@mikro-orm/core'

type Entity = EntityClass<object>

const folder = new URL('../', import.meta.url)
const files = globSync(['db/*/*.ts', 'rails/*/*book.ts'], {
  cwd: fileURLToPath(folder),
  exclude: ['db/migrations/**'],
})
const modules = await Promise.all(
  files.toSorted().map((file) => import(new URL(file, folder).href) as Promise<Record<string, Entity>>),
)

/** Whether a file's export is the class of a table. MikroORM registers these by `setClass`. */
const isEntity = (exported: Entity): boolean => EntitySchema.REGISTRY.has(exported)

/**
 * Every table of the service, including those of the rails. Their files are found by the folder, so that a new table
 * is one new file; a rail's are in files whose names end in `book`. `npm run check` compares the migrations with this
 * list.
 */
export const entities = modules.flatMap((module) => Object.values(module).filter(isEntity))
