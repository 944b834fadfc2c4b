import { readdirSync } from 'node:fs'
import type { IdPrefix } from '../../domain/id.ts'
import type { RowProcess } from '../../domain/processes.ts'
import type { Makers, Processes, Routes } from './resource.ts'

// The one table of test objects, which every test of all routes or resources uses. Each file of the folder is read, so
// a new resource is one new file.
const folder = new URL('./resources/', import.meta.url)
const files = readdirSync(folder).toSorted()
type Part = { makers?: Makers; routes: Routes; processes?: Processes }
const parts = await Promise.all(files.map((file) => import(new URL(file, folder).href) as Promise<Part>))

export const makers: Makers = Object.assign({}, ...parts.map((part) => part.makers ?? {}))
export const routes: Routes = Object.assign({}, ...parts.map((part) => part.routes))
export const rowProcesses: Required<Processes> = Object.assign({}, ...parts.map((part) => part.processes ?? {}))
export const rowProcessNames = Object.keys(rowProcesses) as RowProcess[]

/** The path under which the resource with this id can be read. */
export function pathOf(id: string): string {
  const prefix = id.split('_')[0] as IdPrefix
  const named = Object.keys(makers).filter((name) => makers[name]?.prefix === prefix)
  const route = Object.keys(routes).find((name) =>
    named.some((each) => name.startsWith('GET') && name.endsWith(`{${each}}`)),
  )
  if (!route) throw new Error(`no route reads ${id}`)
  return route.replace('GET ', '').replace(/\{\w+\}/, id)
}
