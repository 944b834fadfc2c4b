import { type Connection, type Pool, Query } from 'pg'

/** How the rows of a statement are read: its columns, their parsers, and a row of nulls. */
type Columns = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown }
type Statement = { name: string; text: string; values: unknown[] }

/** The driver's query with the parts that its types leave out. Its version is pinned, and a test notices a change. */
declare class DriverQuery {
  constructor(statement: Statement)
  protected _result: Columns
  protected _accumulateRows: boolean
  name: string
  submit(connection: Connection): Error | null
  handleRowDescription(message: unknown): void
}
const Base = Query as unknown as typeof DriverQuery

type Known = { columns: Map<string, Columns>; undescribed: Connection }
const connections = new WeakMap<Connection, Known>()

/** A query that has its statement described only if the connection does not know its columns yet. */
class PreparedQuery extends Base {
  #columns = new Map<string, Columns>()

  override submit(connection: Connection): Error | null {
    const { columns, undescribed } = knownOf(connection)
    const known = columns.get(this.name)
    this.#columns = columns
    if (!known) return super.submit(connection)
    Object.assign(this['_result'], known)
    this['_accumulateRows'] = true
    return super.submit(undescribed)
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this['_result']
    this.#columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

/**
 * Runs a named statement over a connection of the pool, and returns its rows. Its columns are asked for once per
 * connection. The driver asks with each run, which took a tenth of a read's time: a session has 60 columns. They cannot
 * change while the statement is prepared: Postgres refuses to run it when a migration has changed a type.
 */
export async function runNamed<R>(pool: Pool, statement: Statement): Promise<R[]> {
  const { rows } = (await pool.query(new PreparedQuery(statement))) as unknown as { rows: R[] }
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
