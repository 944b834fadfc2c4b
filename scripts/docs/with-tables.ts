import { type TableName, tables } from './tables.ts'

const marked = /(<!-- table: ([\w-]+) -->\n)[\s\S]*?(<!-- end of table -->)/g

/** The page with each marked table as the declarations have it. Throws for a name that no table has. */
export function withTables(page: string): string {
  return page.replaceAll(marked, (_all, begin: string, name: string, end: string) => {
    if (!Object.hasOwn(tables, name)) throw new Error(`no table is called ${name}`)
    return `${begin}${tables[name as TableName]()}\n${end}`
  })
}
