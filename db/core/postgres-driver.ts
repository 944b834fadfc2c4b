import { setTimeout } from 'node:timers/promises'
import type { Configuration, Transaction } from '@mikro-orm/core'
import { isRaw, JsonProperty, raw, Utils } from '@mikro-orm/core'
import {
  type Kysely,
  type NativeQueryBuilder,
  PostgreSqlConnection,
  PostgreSqlDriver,
  PostgreSqlNativeQueryBuilder,
} from '@mikro-orm/postgresql'
import type { Pool } from 'pg'

type Execute = PostgreSqlConnection['execute']
type Transactional<T> = typeof PostgreSqlConnection.prototype.transactional<T>
type Work = Parameters<Transactional<unknown>>[0]
type Compiled = Exclude<Parameters<Kysely<unknown>['executeQuery']>[0], { compile: unknown }>

/**
 * MikroORM's driver with four changes. It waits for what is under way before it closes. It locks rows so that others
 * can still refer to them. It sends texts and bytes to Postgres as parameters, where MikroORM writes them into the
 * statement: Postgres logs the statement of every error, with the personal data in it, but not the parameters. Numbers,
 * moments and booleans stay in the statement, where they have their types. And what a commit often does, inserting a
 * row or changing one by its id, is prepared, so that the server plans it once per connection.
 */
export class PostgresDriver extends PostgreSqlDriver {
  constructor(config: Configuration) {
    super(config)
    Object.assign(this, { connection: new ValuesApartConnection(config) })
    this.platform.createNativeQueryBuilder = () => new KeySharingQueryBuilder(this.platform)
  }
}

/**
 * Locks rows `for no key update`. Ids never change, so a row that one transaction has locked may get a row of another
 * one that refers to it. With `for update` the second one would wait, and two that lock in good order could still stop
 * each other: a refund that takes a share back writes a row for a dispute, whose own step waits for the charge.
 */
class KeySharingQueryBuilder extends PostgreSqlNativeQueryBuilder {
  protected override addLockClause(): void {
    super.addLockClause()
    this.parts = this.parts.map((part) => (part === 'for update' ? 'for no key update' : part))
  }
}

let queries = 0

/** MikroORM's statements that insert rows, or change one by its id: no plan but one comes into question for them. */
const repeatedWrite = /^insert into "\w+" \(|^update "\w+" set .+ where "id" = \?$/

/** A prepared statement: its name, and its text with `$1`, `$2` … */
type NamedStatement = { name: string; text: string }

const oftenFrom = 5
const countedMax = 1_000
const namedMax = 300
const timesOf = new Map<string, number>()
const nameOf = new Map<string, string>()

/** A statement that was run a few times before gets a name, as long as there are not too many for a connection. */
function namedIfOften(text: string): string | NamedStatement {
  const name = nameOf.get(text)
  if (name) return { name, text }
  const times = (timesOf.get(text) ?? 0) + 1
  if (times < oftenFrom || nameOf.size >= namedMax) {
    if (timesOf.size >= countedMax) timesOf.clear()
    timesOf.set(text, times)
    return text
  }
  timesOf.delete(text)
  nameOf.set(text, `often-${nameOf.size}`)
  return namedIfOften(text)
}

/**
 * What Kysely runs. It passes a statement on to `pg`, which also takes one with a name. It takes a query's tree only
 * for its logs and plugins, so the tree is the text as one fragment.
 */
function compiledOf(statement: string | NamedStatement, values: unknown[]): Compiled {
  const text = typeof statement === 'string' ? statement : statement.text
  return {
    sql: statement,
    parameters: values,
    query: { kind: 'RawNode', sqlFragments: [text], parameters: [] },
    queryId: { queryId: `values-apart-${++queries}` },
  } as unknown as Compiled
}

/**
 * Runs a statement with `$1`, `$2` … over the connection of a transaction. Without a name it is prepared once it has
 * run a few times. Returns its rows.
 */
export async function runIn(transaction: Transaction, text: string, values: unknown[], name?: string) {
  const statement = name === undefined ? namedIfOften(text) : { name, text }
  const { rows } = await (transaction as Kysely<unknown>).executeQuery(compiledOf(statement, values))
  return rows
}

class ValuesApartConnection extends PostgreSqlConnection {
  override async execute<T>(...[query, params = [], method = 'all', ctx]: Parameters<Execute>): Promise<T> {
    await this.ensureConnection()
    const whole = typeof query === 'string' && !Array.isArray(params) ? raw(query, params) : toFragment(query)
    const given = typeof whole === 'string' ? { sql: whole, params: params as readonly unknown[] } : whole
    const isRepeated = ctx !== undefined && method === 'run' && repeatedWrite.test(given.sql)
    const { text, values } = this.#parameterized(given.sql, given.params, isRepeated)
    const result: unknown = await (ctx ?? this.getClient()).executeQuery(
      compiledOf(isRepeated ? namedIfOften(text) : text, values),
    )
    return this.transformRawResult<T>(result, method)
  }

  /**
   * A transaction driven by Kysely. It gives its connection back to the pool also when the connection was lost, which
   * MikroORM's own does not. Of several errors the first one is thrown, as a rollback then fails as well.
   */
  override async transactional<T>(...[work, options = {}]: Parameters<Transactional<T>>): Promise<T> {
    if (options.ctx) return super.transactional(work, options)
    await this.ensureConnection()
    let transaction = this.getClient().transaction()
    if (options.isolationLevel) transaction = transaction.setIsolationLevel(options.isolationLevel)
    if (options.readOnly) transaction = transaction.setAccessMode('read only')
    let first: { error: unknown } | undefined
    const done = transaction.execute((running) =>
      work(running as unknown as Parameters<Work>[0]).catch((error: unknown) => {
        first = { error }
        throw error
      }),
    )
    return done.catch((error: unknown) => {
      throw first ? first.error : error
    })
  }

  /**
   * Waits for running queries: a query that gets its connection while Kysely closes would keep it, and the pool would
   * wait for ever.
   */
  override async close(force?: boolean): Promise<void> {
    if (this.connected) {
      const pool = (await this.getNativeClient()) as Pool
      const isBusy = () => pool.waitingCount > 0 || pool.idleCount < pool.totalCount
      while (!force && isBusy()) await setTimeout(10)
    }
    await super.close(force)
  }

  /**
   * The statement with `$1`, `$2` … for its texts and bytes, by MikroORM's rules for `?`, `??` and `\?`. With
   * `isRepeated` also for its moments, numbers, booleans and nulls, so that it is the same statement with other values.
   */
  #parameterized(sql: string, params: readonly unknown[], isRepeated: boolean): { text: string; values: unknown[] } {
    const values: unknown[] = []
    const place = (value: unknown): string => {
      if (isRaw(value)) return fill(value.sql, value.params)
      if (isJson(value)) return `$${values.push(JSON.stringify(value))}`
      if (Array.isArray(value)) return value.map(place).join(', ')
      if (isRepeated && value instanceof Date) return `$${values.push(value.toISOString())}`
      if (isRepeated && isOfPlace(value)) return `$${values.push(value === null ? null : String(value))}`
      if (typeof value === 'string' || ArrayBuffer.isView(value)) return `$${values.push(value)}`
      return String(this.platform.quoteValue(value))
    }
    const fill = (text: string, given: readonly unknown[]): string => {
      let next = 0
      return text.replaceAll(/\\\?|\?\??/g, (mark) => {
        if (mark === '\\?') return '?'
        const value = given[next++]
        return mark === '??' ? this.platform.quoteIdentifier(String(value)) : place(value)
      })
    }
    return { text: params.length === 0 ? sql : fill(sql, params), values }
  }
}

/** Whether Postgres gives a value the type of its column, as it does with texts. */
const isOfPlace = (value: unknown): boolean => value === null || ['number', 'bigint', 'boolean'].includes(typeof value)

/** Whether MikroORM has marked a value to be stored as JSON; it marks arrays too. */
const isJson = (value: unknown): boolean =>
  Utils.isPlainObject(value) || (Array.isArray(value) && JsonProperty in value)

function toFragment(query: Parameters<Execute>[0]) {
  return typeof query === 'string' || isRaw(query) ? query : (query as NativeQueryBuilder).toRaw()
}
