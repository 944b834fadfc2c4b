import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { figures } from '../../db/sight/figures.ts'
import { describeMetrics } from '../../engine/telemetry/counters.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { alerts, dashboards, expressions, labelsIn, metricsIn } from '../support/watched.ts'

// Dashboards, alerts and runbooks against the code. That the processes tell these metrics is for
// test/engine/metrics.fault.test.ts, which scrapes them.

const own = describeMetrics()
const runbooks = readFileSync(join(ROOT, 'docs/runbooks.md'), 'utf8')

test('each alert has a severity, a summary and its own section in the runbooks, which says what to do', () => {
  assert.ok(alerts.length >= 20)
  for (const { name, severity, summary, runbook } of alerts) {
    assert.match(severity, /^(page|ticket)$/, name)
    assert.ok(summary.length > 10, name)
    assert.equal(runbook, `{{ $externalLabels.steadypay_url }}/docs/runbooks#${name.toLowerCase()}`)
  }
  const sections = runbooks.split(/^### /m).slice(1)
  assert.deepEqual(
    sections.map((section) => section.split('\n', 1)[0]).toSorted(),
    alerts.map(({ name }) => name).toSorted(),
  )
  for (const section of sections) {
    const name = section.split('\n', 1)[0]
    for (const part of ['Means', 'Look at', 'Do']) assert.ok(section.includes(`**${part}:**`), `${name}: ${part}`)
  }
})

test('every metric of ours in a dashboard or an alert exists, and has the labels that are asked for', () => {
  const labelsOf = new Map(own.map(({ name, labels }) => [name, [...labels, 'instance', 'job', 'le']]))
  const asked = expressions.flatMap(({ at, expr }) => metricsIn(expr).map((name) => ({ at, name })))
  assert.ok(asked.length > 60, 'the metrics are found')
  const unknown = asked.filter(({ name }) => name.startsWith('steadypay_') && !labelsOf.has(name))
  assert.deepEqual(unknown, [])
  const labels = expressions.flatMap(({ at, expr }) => labelsIn(expr).map((each) => ({ at, ...each })))
  assert.ok(labels.length > 60, 'the labels are found')
  assert.deepEqual(
    labels.filter(({ metric, label }) => !labelsOf.get(metric)?.includes(label)),
    [],
  )
})

test('what counts single errors counts the first one of a series too, as promtool tests it', () => {
  const tested = readFileSync(join(ROOT, 'ops/prometheus/alerts.test.yaml'), 'utf8').replaceAll(/\s+/g, ' ')
  const single = expressions.filter(({ expr }) => /increase\([^/]*(> 0 ?$|or vector\(0\))/.test(expr))
  assert.deepEqual(
    single.map(({ at }) => at),
    ['SteadypayErrors', 'SteadypayTasksFail', 'steadypay: Unexpected errors in an hour'],
  )
  for (const { at, expr } of single) {
    // A series is new only if it had no value for ten minutes: a scrape that is missed makes none new.
    const before = String.raw`last_over_time\(\1\[10m\] offset \2\)`
    assert.match(expr, RegExp(String.raw`increase\((\S+)\[(\w+)\]\) and ${before} or \1 unless ${before}\)`), at)
    assert.ok(tested.includes(at) || tested.includes(expr), `${at} is not in alerts.test.yaml`)
  }
})

test('every metric of ours is on a dashboard', () => {
  const shown = new Set(expressions.flatMap(({ expr }) => metricsIn(expr)))
  assert.deepEqual(
    own.filter(({ name }) => !shown.has(name)).map(({ name }) => name),
    [],
  )
})

test('each panel says what it shows, and no two panels of a dashboard have the same id', () => {
  for (const { title, panels } of dashboards) {
    const shown = panels.filter(({ type }) => type !== 'row')
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length, title)
    for (const panel of shown) assert.ok((panel.description ?? '').length > 5, `${title}: ${panel.title}`)
    for (const panel of shown) assert.ok((panel.targets ?? []).length > 0, `${title}: ${panel.title}`)
  }
})

test('what every process tells of the whole deployment is never added up over the processes', () => {
  const names = Object.keys(figures).map((name) => `steadypay_${name}`)
  const asked = expressions.flatMap(({ at, expr }) =>
    [...expr.matchAll(/(\w+(?: by \([^)]*\))? ?\()?(steadypay_\w+)/g)]
      .filter(([, , name = '']) => names.includes(name))
      .map(([, around = '', name]) => ({ at, around, name })),
  )
  assert.ok(asked.length > 15, 'the figures are found')
  assert.deepEqual(
    asked.filter(({ around }) => !/^(max|absent)\b/.test(around)),
    [],
  )
})
