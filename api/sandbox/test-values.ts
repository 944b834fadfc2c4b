import { testValueTables } from '../../rails/sandbox/test-value-tables.ts'
import { markdownTable } from '../http/markdown-table.ts'

/** The text on the reference page about the values that decide the outcome in the sandbox. */
export const describeTestValues = (): string =>
  [
    'For sandbox keys only. In the sandbox these values decide the outcome, in test helpers and in all other calls.',
    ...Object.values(testValueTables).map(({ heads, rows }) => markdownTable(heads, rows)),
  ].join('\n\n')
