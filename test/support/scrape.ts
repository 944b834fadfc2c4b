import assert from 'node:assert/strict'
import type { Running } from '../proof/deployment.ts'
import { until } from './until.ts'

/** The address of a process's own port, as its log tells it. */
export async function sidePortOf(running: Running): Promise<string> {
  const lines = () => running.log().split('\n').filter(Boolean)
  const found = () => lines().find((line) => line.includes('"metrics are served"'))
  await until(() => found() !== undefined || !running.isRunning(), 'the port is told')
  const { host, port } = JSON.parse(found() ?? '{}') as { host: string; port: number }
  assert.equal(host, '127.0.0.1', 'without METRICS_HOST nobody outside this machine reaches it')
  return `http://127.0.0.1:${port}`
}

export async function read(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(8_000) }).catch(() => null)
  return { status: answer?.status ?? 0, text: (await answer?.text().catch(() => '')) ?? '' }
}

/** What one process has told: the values of its series, each by its name and labels as they are written. */
export class Scrape {
  readonly text: string
  readonly series: Map<string, number>

  constructor(text: string) {
    this.text = text
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    this.series = new Map(
      lines.map((line) => {
        const parts = /^([a-zA-Z_:][\w:]*(?:\{.*\})?) (\S+)$/.exec(line)
        assert.ok(parts?.[1], `a line that Prometheus cannot read: ${line}`)
        return [parts[1], Number(parts[2])]
      }),
    )
    assert.equal(this.series.size, lines.length, 'no series is told twice')
  }

  /** The sum of the series with this name whose labels have these values; null if there is none. */
  sum(name: string, labels: Record<string, string> = {}): number | null {
    const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
    const found = [...this.series].filter(
      ([key]) => key.split('{', 1)[0] === name && wanted.every((part) => key.includes(part)),
    )
    return found.length === 0 ? null : found.reduce((total, [, value]) => total + value, 0)
  }

  /** The names of all metrics, as `# TYPE` tells them. */
  names(): string[] {
    return [...this.text.matchAll(/^# TYPE (\S+) /gm)].flatMap(([, name]) => name ?? [])
  }
}

/** Reads the metrics of a process as Prometheus does. */
export async function scrape(base: string): Promise<Scrape> {
  const { status, text } = await read(`${base}/metrics`)
  assert.equal(status, 200)
  return new Scrape(text)
}
