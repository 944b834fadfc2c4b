import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStartGate } from '../../engine/start-gate.ts'
import { until } from '../support/until.ts'

/** A gate whose engine gives the same answer until the test changes it; each question takes half a second. */
function open(answer: { waiting: number; takenPerSecond: number }) {
  let [questions, now] = [0, 0]
  const engine = { answer }
  const backlogOf = async () => {
    questions += 1
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
  return { engine, gate, startAll, questions: () => questions }
}

test('an answer that stays the same for seconds delays starts no longer than the workers need', async (t) => {
  const { gate, startAll, questions } = open({ waiting: 80, takenPerSecond: 20 })
  t.after(() => gate.close())
  startAll()
  // 100 wait: 80, and the 20 started meanwhile. At 20 a second, 10 for each question, 20 are left after 8 questions.
  await until(() => gate.isOpen(), 'the gate opens although the answer is the same')
  assert.ok(questions() >= 6 && questions() <= 11, `after ${questions()} questions`)
  const started = startAll()
  assert.ok(started <= 20, `${started} are started at once`)
})

test('while workers take no tasks the gate stays closed, except for one start in twenty questions', async (t) => {
  const { engine, gate, startAll, questions } = open({ waiting: 80, takenPerSecond: 0 })
  t.after(() => gate.close())
  assert.equal(startAll(), 20)
  await until(() => questions() >= 10, 'the engine was asked often')
  assert.equal(startAll(), 0)
  await until(() => questions() >= 20, 'the engine was asked very often')
  await until(() => gate.isOpen(), 'one may start')
  assert.equal(startAll(), 1)
  engine.answer = { waiting: 3, takenPerSecond: 1 }
  await until(() => gate.isOpen(), 'the gate opens')
  assert.ok(startAll() <= 17)
})

test('an idle engine whose answer stays at zero takes a burst at fifty starts a second', async (t) => {
  const { gate, startAll } = open({ waiting: 0, takenPerSecond: 0 })
  t.after(() => gate.close())
  let started = startAll()
  await until(() => (started += startAll()) >= 100, 'a hundred are started')
})
