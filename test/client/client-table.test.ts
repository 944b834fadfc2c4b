import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromNow } from '../../client/output.ts'
import { type Column, tableOf } from '../../client/table.ts'

type Row = { time: string; step: string; error: string | null; id: string }

const columns: Column<Row>[] = [
  { heading: 'time', textOf: ({ time }) => time },
  { heading: 'step', textOf: ({ step }) => step },
  { heading: 'error', textOf: ({ error }) => error },
  { heading: 'id', textOf: ({ id }) => id },
]
const id = `pay_${'0'.repeat(34)}`
const rows: Row[] = [
  { time: '10:00:00', step: 'processing', error: 'card_declined', id },
  { time: '10:00:01', step: 'done', error: null, id },
]

test('the columns of a table stand below each other, and a column without any text is left out', () => {
  assert.deepEqual(tableOf(rows, columns, Infinity), [
    `time      step        error          id`,
    `10:00:00  processing  card_declined  ${id}`,
    `10:00:01  done                       ${id}`,
  ])
  assert.deepEqual(tableOf(rows.slice(1), columns, Infinity), [`time      step  id`, `10:00:01  done  ${id}`])
})

test('where a terminal is too narrow, what does not fit follows below its row, and no id is broken', () => {
  assert.deepEqual(tableOf(rows, columns, 60), [
    'time      step        error',
    '10:00:00  processing  card_declined',
    `  id ${id}`,
    '10:00:01  done',
    `  id ${id}`,
  ])
  assert.deepEqual(tableOf(rows.slice(0, 1), columns, 42), [
    'time      step        error',
    '10:00:00  processing  card_declined',
    '  id',
    `  ${id}`,
  ])
})

test('a text of a table has no control characters', () => {
  const [, line] = tableOf([{ time: '', step: 'a\u001B[2Jb\nc', error: null, id: '' }], columns, Infinity)
  assert.equal(line, 'a [2Jb c')
})

test('a moment is so far from now: in the largest unit of which there are two', () => {
  const at = Date.UTC(2026, 0, 31)
  const far = (ms: number) => fromNow(new Date(at + ms).toISOString(), at)
  const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]
  assert.deepEqual([0, 400, second, 119 * second, 4 * minute, 90 * minute, 36 * hour, 3 * day].map(far), [
    'now',
    'now',
    'in 1 s',
    'in 119 s',
    'in 4 min',
    'in 90 min',
    'in 36 h',
    'in 3 days',
  ])
  assert.deepEqual([-second, -5 * minute, -72 * hour].map(far), ['1 s ago', '5 min ago', '3 days ago'])
})
