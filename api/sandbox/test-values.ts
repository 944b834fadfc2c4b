import { testValueTables } from '../../rails/sandbox/test-value-tables.ts'
import { markdownTable } from '../http/markdown-table.ts'

/** What the reference page says of the test helpers: the values by which the sandbox is told what to do. */
export const describeTestValues = (): string =>
  [
    'For sandbox keys only. The sandbox does what these values say, in test helpers and in all other calls.',
    ...Object.values(testValueTables).map(({ heads, rows }) => markdownTable(heads, rows)),
  ].join('\n\n')
