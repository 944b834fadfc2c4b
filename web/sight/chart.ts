import { scaleBand, scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { figure } from '../words.ts'

/** What is sold on a day: the figure is drawn, its words are read. */
export type Bar = { day: string; amount: string; words: string }

const width = 400
const height = 170
const [left, right, top, bottom] = [48, 4, 8, 22]
const ticksMax = 4
const labelEvery = 7

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/**
 * A chart of daily volume, as the template draws it: a bar for each day, and lines for round amounts. Amounts become
 * floats only here, where a pixel is all that depends on them.
 */
export function dailyChart(bars: readonly Bar[]) {
  const amountOf = ({ amount }: Bar): number => Number(amount)
  const x = scaleBand(
    bars.map(({ day }) => day),
    [left, width - right],
  ).padding(0.2)
  const y = scaleLinear([0, Math.max(...bars.map(amountOf), 0) || 1], [height - bottom, top]).nice(ticksMax)
  const rule = line()
  return {
    width,
    height,
    ticks: y.ticks(ticksMax).map((tick) => ({
      label: compact.format(tick),
      x: left - 6,
      y: round(y(tick)),
      path: rule([
        [left, round(y(tick))],
        [width - right, round(y(tick))],
      ]),
    })),
    bars: bars.map((bar) => ({
      x: round(x(bar.day) ?? 0),
      y: round(y(amountOf(bar))),
      width: round(x.bandwidth()),
      height: round(height - bottom - y(amountOf(bar))),
      words: bar.words,
    })),
    labels: bars.flatMap(({ day }, index) =>
      index % labelEvery === 0
        ? { words: figure(String(Number(day.slice(8)))), x: round((x(day) ?? 0) + x.bandwidth() / 2), y: height - 6 }
        : [],
    ),
  }
}

const round = (value: number): number => Math.round(value * 10) / 10
