import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStartGate } from '../../engine/start-gate.ts'
import { until } from '../support/stack.ts'

/** A gate before an engine that gives one answer until it is changed; each question takes half a second. */
function open(answer: { waiting: number; takenPerSecond: number }) {
  let [asked, now] = [0, 0]
  const engine = { answer }
  const backlogOf = async () => {
    asked += 1
    now += 500
    return engine.answer
  }
  const gate = createStartGate(
    backlogOf,
    () => undefined,
    () => now,
  )
  /** Starts what may be started now. */
  const startAll = () => {
    let started = 0
    for (; started < 100 && gate.isOpen(); started++) gate.started()
    return started
  }
  return { engine, gate, startAll, asked: () => asked }
}

test('an answer that the engine repeats for seconds holds nothing up for longer than the workers need', async (t) => {
  const { gate, startAll, asked } = open({ waiting: 80, takenPerSecond: 20 })
  t.after(() => gate.close())
  startAll()
  // 80 wait, or 100 with what was started meanwhile; at 20 a second, 10 a question, they are 20 after 8.
  await until(() => gate.isOpen(), 'the gate opens although the answer stays')
  assert.ok(asked() >= 6 && asked() <= 11, `after ${asked()} questions`)
  const started = startAll()
  assert.ok(started <= 20, `${started} are started at once`)
})

test('while the workers take nothing the gate stays closed, but for one start in twenty questions', async (t) => {
  const { engine, gate, startAll, asked } = open({ waiting: 80, takenPerSecond: 0 })
  t.after(() => gate.close())
  assert.equal(startAll(), 20)
  await until(() => asked() >= 10, 'it was asked often')
  assert.equal(startAll(), 0)
  await until(() => asked() >= 20, 'it was asked very often')
  await until(() => gate.isOpen(), 'one may start')
  assert.equal(startAll(), 1)
  engine.answer = { waiting: 3, takenPerSecond: 1 }
  await until(() => gate.isOpen(), 'the gate opens')
  assert.ok(startAll() <= 17)
})

test('an idle engine that repeats that nothing waits takes a burst at the pace of fifty a second', async (t) => {
  const { gate, startAll } = open({ waiting: 0, takenPerSecond: 0 })
  t.after(() => gate.close())
  let started = startAll()
  await until(() => (started += startAll()) >= 100, 'a hundred are started')
})
