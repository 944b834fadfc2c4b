/** One line of the report: a measurement, beside its floor if it has one. */
export type Figure = {
  row: string
  measure: string
  unit: '/s' | 'ms' | 's' | 'MB' | 'bytes' | 'calls'
  ours: number
  /** The same work without our code, measured in the same run; null if the bar is an absolute figure. */
  floor: number | null
  /** Our figure divided by the floor's. It is the median over the rounds, as the machine may slow down midway. */
  ratio: number | null
  bar: number
  goal: number
  better: 'higher' | 'lower'
}

export type Verdict = 'goal' | 'pass' | 'MISS'

export function verdictOf({ ours, ratio, bar, goal, better }: Figure): Verdict {
  const judged = ratio ?? ours
  const reaches = (mark: number) => (better === 'higher' ? judged >= mark : judged <= mark)
  if (reaches(goal)) return 'goal'
  return reaches(bar) ? 'pass' : 'MISS'
}

export const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2
}

/** One measurement of a round: our figure and the floor's. */
export type Pair = { ours: number; floor: number }

type About = Pick<Figure, 'row' | 'measure' | 'unit' | 'bar' | 'goal' | 'better'>

export const compared = (about: About, pairs: readonly Pair[]): Figure => ({
  ...about,
  ours: median(pairs.map(({ ours }) => ours)),
  floor: median(pairs.map(({ floor }) => floor)),
  ratio: median(pairs.map(({ ours, floor }) => ours / floor)),
})

export const absolute = (about: About, ours: number): Figure => ({ ...about, ours, floor: null, ratio: null })

const HEAD = ['row', 'measure', 'ours', 'floor', 'ratio', 'bar', 'goal', '']

/** The report as a table, for people. */
export function table(figures: readonly Figure[]): string {
  const lines = [HEAD, ...figures.map(cellsOf)]
  const widths = HEAD.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  return lines.map((cells) => cells.map((cell, column) => pad(cell, column, widths)).join('  ')).join('\n')
}

const pad = (cell: string, column: number, widths: number[]): string =>
  column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)

function cellsOf(figure: Figure): string[] {
  const { row, measure, unit, ours, floor, ratio, bar, goal, better } = figure
  const mark = (value: number) => `${better === 'higher' ? '≥' : '≤'} ${value}${ratio === null ? ` ${unit}` : ' ×'}`
  const shown = [
    short(ours, unit),
    floor === null ? '' : short(floor, unit),
    ratio === null ? '' : `${ratio.toFixed(2)} ×`,
  ]
  return [row, measure, ...shown, mark(bar), mark(goal), verdictOf(figure)]
}

const short = (value: number, unit: Figure['unit']): string =>
  `${value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3)} ${unit}`
