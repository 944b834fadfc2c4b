import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../scripts/infra/paths.ts'

// What dashboards and alerts ask Prometheus, as the files of ops/ have it.

type Alert = { name: string; expr: string; severity: string; summary: string; runbook: string }

const text = readFileSync(join(ROOT, 'ops/prometheus/alerts.yaml'), 'utf8')

/** The alerts. Their file has one form, which is read here; anything else is an error. */
export const alerts: Alert[] = text
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((block) => {
    const part = (pattern: RegExp) => {
      const found = pattern.exec(block)?.[1]
      if (found === undefined) throw new Error(`an alert without ${pattern}: ${block}`)
      return found
    }
    return {
      name: part(/^(\w+)$/m),
      expr: part(/^ {8}expr: >-\n((?: {10}.*\n)+)/m).replaceAll(/\s+/g, ' '),
      severity: part(/^ {10}severity: (\w+)$/m),
      summary: part(/^ {10}summary: '(.+)'$/m),
      runbook: part(/^ {10}runbook_url: '(.+)'$/m),
    }
  })

type Panel = { title: string; type: string; description?: string; targets?: { expr: string; legendFormat: string }[] }

type Dashboard = { uid: string; title: string; panels: (Panel & { id: number })[] }

export const dashboards: Dashboard[] = globSync('ops/grafana/*.json', { cwd: ROOT }).map(
  (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Dashboard,
)

/** Every expression, with where it is. */
export const expressions: { at: string; expr: string }[] = [
  ...alerts.map(({ name, expr }) => ({ at: name, expr })),
  ...dashboards.flatMap(({ title, panels }) =>
    panels.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => ({ at: `${title}: ${panel.title}`, expr }))),
  ),
]

/** The names of the metrics in an expression, without the ends that a histogram adds to its own. */
export const metricsIn = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:steadypay|temporal|process|nodejs)_\w+/g)]
    .map(([name]) => name)
    .filter((name) => name !== 'steadypay_url')
    .map((name) => name.replace(/_(bucket|sum|count)$/, ''))

/** The matchers and groupings in an expression: each label with the metric that it is asked of. */
export function labelsIn(expr: string): { metric: string; label: string }[] {
  const matched = [...expr.matchAll(/\b(steadypay_\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', inside = '']) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => ({ metric, label })),
  )
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\) \((?:\w+\()*(steadypay_\w+)/g)].flatMap(
    ([, labels = '', metric = '']) => labels.split(/,\s*/).map((label) => ({ metric, label })),
  )
  return [...matched, ...grouped].map(({ metric, label }) => ({ metric: metricsIn(metric)[0] ?? metric, label }))
}
