/** What a client's message to Postgres commits: a transaction, or a session and its key by one statement. */
export type Committing = 'transaction' | 'creation'

/** The statement of a call, or of several, that creates a session (decisions 0009 and 0115). It commits at once. */
const isCreation = (text: string) =>
  text.startsWith('with ') && /"idempotency_records".*insert into "checkouts"/s.test(text)

/** What a message ends with: the first zero byte of the text that begins here. */
const textAt = (chunk: Buffer, start: number) => chunk.toString('utf8', start, chunk.indexOf(0, start))

/**
 * Tells what a chunk of a connection's data commits, if anything. A statement is parsed once per connection, under a
 * name, so every chunk has to be shown, from the connection's first one on.
 */
export function createCommitReader() {
  const namesOf = new WeakMap<object, Set<string>>()
  return (chunk: Buffer, connection: object): Committing | null => {
    const names = namesOf.get(connection) ?? new Set<string>()
    namesOf.set(connection, names)
    let commits: Committing | null = null
    // A message is its type, four bytes of length that count themselves, and the rest.
    for (let at = 0; at + 5 <= chunk.length;) {
      const [type, length] = [String.fromCharCode(chunk[at] ?? 0), chunk.readUInt32BE(at + 1)]
      const first = textAt(chunk, at + 5)
      const second = () => textAt(chunk, at + 5 + Buffer.byteLength(first) + 1)
      if (type === 'Q' && first.toLowerCase().startsWith('commit')) commits = 'transaction'
      if (type === 'P' && isCreation(second())) names.add(first) // parse: the statement's name and its text
      if (type === 'B' && names.has(second())) commits = 'creation' // bind: the portal's name and the statement's
      at += 1 + Math.max(4, length)
    }
    return commits
  }
}
