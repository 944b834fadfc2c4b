import { Client, type QueryResult } from 'pg'

type Answered = (error: Error | null, result: QueryResult) => void
type AnyQuery = (config: unknown, values?: unknown, callback?: Answered) => unknown

/**
 * A client that gives each query its callback. Without one, the driver assigns a function to the query: V8 makes such a
 * function among the old objects, where it keeps all that waits for the query, such as a whole call, until those are
 * collected (docs/decisions/0105).
 */
export class AnsweringClient extends Client {
  override query: Client['query'] = ((config: unknown, values?: unknown, callback?: Answered) => {
    const run = super.query.bind(this) as unknown as AnyQuery
    const isAnswered = typeof values === 'function' || typeof callback === 'function'
    if (isAnswered || typeof (config as { submit?: unknown }).submit === 'function')
      return run(config, values, callback)
    const answered = new Promise((resolve, reject) => {
      run(config, values, (error, result) => (error ? reject(error) : resolve(result)))
    })
    return answered.catch((error: Error) => {
      Error.captureStackTrace(error) // else it would lead to the socket, and not to the caller
      throw error
    })
  }) as Client['query']
}
