// What a migration may do while the previous release still runs (docs/operating/upgrading.md, "Migrations that the
// previous release can work with").

type Rule = { why: string; of: RegExp }

/** Statements after which code of the previous release reads or writes something that is gone or refused. */
const rules: Rule[] = [
  { why: 'drops a table, view, type or function', of: /^drop (table|view|materialized view|type|function|schema)\b/ },
  { why: 'drops a column', of: /^alter table .*\bdrop column\b/ },
  { why: 'renames', of: /^alter (table|index|view|type|function) .*\brename\b/ },
  { why: 'makes a column NOT NULL', of: /^alter table .*\bset not null\b/ },
  { why: 'drops a default', of: /^alter table .*\bdrop default\b/ },
  { why: 'changes the type of a column', of: /^alter table .*\balter column \S+ (set data )?type\b/ },
  { why: 'removes all rows', of: /^truncate\b/ },
]

/** Without comments, texts and the bodies of functions; names without quotes; one statement an entry, in one line. */
function statementsOf(text: string): string[] {
  return text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '')
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
}

/** The parts of `alter table … add column …, add column …`, which commas in parentheses do not divide. */
function partsOf(statement: string): string[] {
  let depth = 0
  const parts = ['']
  for (const letter of statement) {
    if (letter === '(') depth += 1
    if (letter === ')') depth -= 1
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}

const table = /^(?:alter table|create unique index .*? on|create table)(?: if (?:not )?exists| only)* (\S+)/
const added = /\badd (?:constraint (\S+) )?(check|unique|foreign key|exclude|primary key)\b/

/**
 * What in a migration could break the processes of the previous release, in words. A file that begins with
 * `-- contract of NNNN-name: why` is let through if that migration is one that the previous release knows. A line
 * `-- wider NAME: why` lets a constraint or unique index pass that allows all that the previous release writes.
 */
export function breaksPreviousRelease(text: string, knownToIt: readonly string[]): string[] {
  const [, expand] = /^-- contract of (\d{4}-[a-z\d-]+): \S.{9,}$/m.exec(text.split('\n')[0] ?? '') ?? []
  if (expand !== undefined) {
    return knownToIt.includes(expand) ? [] : [`the previous release does not know ${expand}, which it is a contract of`]
  }
  const wider = new Set([...text.matchAll(/^-- wider (\S+): \S.{9,}$/gm)].map(([, name = '']) => name))
  const statements = statementsOf(text)
  const made = new Set(statements.flatMap((each) => (each.startsWith('create table') ? nameOf(each) : [])))
  return statements.flatMap((statement) => {
    const [name = ''] = nameOf(statement)
    if (made.has(name)) return []
    return [...broken(statement), ...narrowed(statement, wider)].map((why) => `${why}: ${statement.slice(0, 120)}`)
  })
}

const nameOf = (statement: string): string[] => table.exec(statement)?.slice(1, 2) ?? []

function broken(statement: string): string[] {
  const found = rules.filter(({ of }) => of.test(statement)).map(({ why }) => why)
  const needed = partsOf(statement).filter(
    (part) => /\badd column\b.*\bnot null\b/.test(part) && !/\b(default|generated|serial|bigserial)\b/.test(part),
  )
  return needed.length > 0 ? [...found, 'adds a column that is NOT NULL and has no default'] : found
}

/** What the previous release may write and is refused from now on. */
function narrowed(statement: string, wider: Set<string>): string[] {
  const [, index] = /^create unique index (?:concurrently )?(?:if not exists )?(\S+) on\b/.exec(statement) ?? []
  if (index !== undefined) return wider.has(index) ? [] : ['adds a unique index']
  if (!statement.startsWith('alter table')) return []
  return partsOf(statement).flatMap((part) => {
    const [, name = '', kind] = added.exec(part) ?? []
    return kind === undefined || wider.has(name) ? [] : [`adds a constraint (${kind})`]
  })
}
