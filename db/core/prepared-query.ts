import { type Connection, type Pool, Query } from 'pg'

/** How the rows of a statement are read: its columns, their parsers, and a row of nulls. */
type Columns = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown }
type Statement = { name: string; text: string; values: unknown[] }
type Answer<R> = { rows: R[] }

/** The driver's query with the parts that its types leave out. Its version is pinned, and a test notices a change. */
declare class DriverQuery {
  constructor(statement: Statement)
  protected _result: Columns
  protected _accumulateRows: boolean
  name: string
  callback: ((error: Error | null, answer: Answer<unknown>) => void) | undefined
  submit(connection: Connection): Error | null
  handleRowDescription(message: unknown): void
}
const Base = Query as unknown as typeof DriverQuery

type Known = { columns: Map<string, Columns>; undescribed: Connection }
const connections = new WeakMap<Connection, Known>()

/**
 * A named statement that asks for its columns once per connection. The driver asks with each run, which took a tenth of
 * a read's time: a session has 60 columns. They cannot change while the statement is prepared: Postgres refuses to run
 * it when a migration has changed a type.
 */
export class PreparedQuery extends Base {
  #connection: Connection | undefined

  override submit(connection: Connection): Error | null {
    const known = knownOf(connection)
    const columns = known.columns.get(this.name)
    if (columns) {
      Object.assign(this['_result'], columns)
      this['_accumulateRows'] = true
      return super.submit(known.undescribed)
    }
    this.#connection = connection
    return super.submit(connection)
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this['_result']
    if (!this.#connection) return
    knownOf(this.#connection).columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

/** Runs a statement over a connection of the pool. Returns its rows. */
export async function runOn<R>(pool: Pool, query: PreparedQuery): Promise<R[]> {
  const { rows } = (await pool.query(query)) as unknown as Answer<R>
  return rows
}

function knownOf(connection: Connection): Known {
  let known = connections.get(connection)
  if (!known) {
    const undescribed = Object.assign(Object.create(connection) as Connection, { describe: () => undefined })
    connections.set(connection, (known = { columns: new Map(), undescribed }))
  }
  return known
}
