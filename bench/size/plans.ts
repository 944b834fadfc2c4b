import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** A statement as Postgres has carried it out. */
export type Ran = {
  text: string
  /** The rows that its steps have read from tables and indexes, also those that a condition then left out. */
  rows: number
  /** The pages of 8 KB that it has read, in memory or not. */
  pages: number
  ms: number
}

type Node = { Plans?: Node[] } & Record<string, unknown>

const number = (node: Node, name: string): number => Number(node[name] ?? 0)
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const rowsRead = (node: Node): number =>
  nodesOf(node)
    .filter((each) => String(each['Node Type']).endsWith('Scan'))
    .filter((each) => each['Relation Name'] !== undefined || each['Index Name'] !== undefined)
    .reduce(
      (sum, each) =>
        sum +
        (number(each, 'Actual Rows') +
          number(each, 'Rows Removed by Filter') +
          number(each, 'Rows Removed by Index Recheck')) *
          number(each, 'Actual Loops'),
      0,
    )

/**
 * What `auto_explain` is set to in a database whose statements are read: the plan that was used, whether it was made
 * for these values or for any, with all that it has read.
 */
export const explaining = (database: string): string[] =>
  [
    "session_preload_libraries = 'auto_explain'",
    'auto_explain.log_min_duration = 0',
    'auto_explain.log_analyze = on',
    'auto_explain.log_buffers = on',
    'auto_explain.log_timing = off',
    "auto_explain.log_format = 'json'",
    'auto_explain.log_parameter_max_length = 0',
  ].map((setting) => `alter database "${database}" set ${setting}`)

/** Sets a database back. */
export const notExplaining = (database: string): string[] => [`alter database "${database}" reset all`]

/** Reads the statements that a database carries out from the log of its Postgres. */
export function readStatements(logFile: string, database: string) {
  let from = statSync(logFile).size
  return {
    /** Forgets what has run so far. */
    skip: () => void (from = statSync(logFile).size),
    /** What has run since the last time, in its order. */
    next(): Ran[] {
      const to = statSync(logFile).size
      const bytes = Buffer.alloc(to - from)
      const file = openSync(logFile, 'r')
      readSync(file, bytes, 0, bytes.length, from)
      closeSync(file)
      from = to
      return statementsIn(bytes.toString(), database)
    },
  }
}

/** The statements of one database in a piece of the log. */
export const statementsIn = (log: string, database: string): Ran[] =>
  log.split(/^(?=\d{4}-\d\d-\d\d )/m).flatMap((entry) => {
    const [, of, ms, plan] =
      /^\S+ \S+ \S+ \[\d+\] (\S+) LOG: {2}duration: ([\d.]+) ms {2}plan:\n([^]*)$/.exec(entry) ?? []
    if (of !== database || plan === undefined) return []
    const read = JSON.parse(plan.replaceAll('\n\t', '\n')) as { 'Query Text': string; Plan: Node }
    const pages = number(read.Plan, 'Shared Hit Blocks') + number(read.Plan, 'Shared Read Blocks')
    return [{ text: read['Query Text'], rows: rowsRead(read.Plan), pages, ms: Number(ms) }]
  })
