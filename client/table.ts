import { paint, plain, type Style } from './output.ts'

/** A column: its heading, what it says of a row (nothing: null), and how that is coloured. */
export type Column<T> = { heading: string; textOf: (row: T) => string | null; styleOf?: (row: T) => Style }

const gap = '  '

/**
 * The lines of a table. A column that says nothing of any row is left out. On a terminal that is too narrow for all
 * columns, those that do not fit follow below each row, a line each, so that no text is broken.
 */
export function tableOf<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  widthMax = process.stdout.columns || Infinity, // a pipe has no width
): string[] {
  const beside: (Column<T> & { width: number })[] = []
  const below: Column<T>[] = []
  let room = widthMax
  for (const column of columns) {
    const texts = rows.map((row) => textIn(column, row))
    if (texts.every((text) => text === '')) continue
    const width = Math.max(...[column.heading, ...texts].map((text) => text.length))
    if (width > room) {
      below.push(column)
      continue
    }
    beside.push({ ...column, width })
    room -= width + gap.length
  }
  const headings = beside.map(({ heading, width }) => heading.padEnd(width))
  return [
    paint('dim', headings.join(gap).trimEnd()),
    ...rows.flatMap((row) => [
      lineOf(row, beside),
      ...below.flatMap((column) => linesBelow(column.heading, textIn(column, row), widthMax)),
    ]),
  ]
}

const textIn = <T>({ textOf }: Column<T>, row: T): string => plain(textOf(row) ?? '')

function lineOf<T>(row: T, columns: readonly (Column<T> & { width: number })[]): string {
  const cells = columns.map((column) => {
    const text = textIn(column, row)
    const space = ' '.repeat(column.width - text.length)
    return (column.styleOf ? paint(column.styleOf(row), text) : text) + space
  })
  return cells.join(gap).trimEnd()
}

/** The heading and the text in one line, or in two where they do not fit. */
function linesBelow(heading: string, text: string, widthMax: number): string[] {
  if (text === '') return []
  const together = `${gap}${heading} ${text}`
  return together.length <= widthMax ? [together] : [gap + heading, gap + text]
}
