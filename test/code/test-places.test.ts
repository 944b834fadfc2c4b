import assert from 'node:assert/strict'
import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { folderInMemory, type Session } from '../../scripts/infra/session.ts'
import { type Batch, batchesOf } from '../../scripts/infra/test-batches.ts'
import { takePlaces } from '../../scripts/infra/test-places.ts'

const many = (count: number, kind: string) =>
  Array.from({ length: count }, (_, n) => `test/area/file-${n}${kind}.test.ts`)
const alone = (files: string[]) => files.map((file): Batch => [file])
const isMeasuring = (file: string) => file.includes('/overload.fault')
const files = [...many(20, ''), ...many(6, '.process'), ...many(5, '.fault'), 'test/engine/overload.fault.test.ts']

test('each file runs once, some side by side, and a file that measures runs alone', async () => {
  const running = new Set<string>()
  const ran: string[] = []
  await takePlaces(alone(files), new AbortController().signal, async ([file]) => {
    running.add(file)
    const waiting = [...running].filter((one) => one.includes('.fault'))
    assert.ok(running.size <= 4 && waiting.length <= 2 && running.size - waiting.length <= 3, [...running].join())
    if ([...running].some(isMeasuring)) assert.equal(running.size, 1)
    await sleep(ran.length % 3)
    running.delete(file)
    ran.push(file)
  })
  assert.deepEqual(ran.toSorted(), files.toSorted())
  assert.ok(isMeasuring(ran.at(-1) ?? ''))
})

test('after an interruption no file is started, and running ones are waited for', async () => {
  const interrupted = new AbortController()
  const [started, ended]: [string[], string[]] = [[], []]
  await takePlaces(alone(files), interrupted.signal, async ([file]) => {
    started.push(file)
    interrupted.abort()
    await sleep(5)
    ended.push(file)
  })
  assert.deepEqual(started, ended)
  assert.equal(started.length, 1)
})

test('files of a kind share a process, those that take long in small batches', () => {
  const batches = batchesOf(files)
  assert.deepEqual(batches.flat().toSorted(), files.toSorted())
  for (const batch of batches) {
    const [first] = batch
    assert.equal(new Set(batch.map((file) => file.replace(/-\d+/, ''))).size, 1, batch.join())
    const most = isMeasuring(first) ? 1 : /fault/.test(first) ? 3 : /process/.test(first) ? 4 : 8
    assert.ok(batch.length <= most, batch.join())
  }
  assert.ok(batches.length < 10, `${batches.length} processes`)
})

test('the files of the tests’ Postgres are in memory where there is room, and are removed at the end', () => {
  const undo: (() => unknown)[] = []
  const session = { atEnd: (work: () => unknown) => undo.push(work) } as unknown as Session
  const folders = [1, Number.MAX_SAFE_INTEGER].map((bytes) => folderInMemory(session, bytes))
  const memory = existsSync('/dev/shm') ? statfsSync('/dev/shm') : null
  const hasMemory = memory?.type === 0x01021994 && memory.bavail > 0
  assert.deepEqual(folders.map(dirname), [hasMemory ? '/dev/shm' : tmpdir(), tmpdir()])
  assert.ok(folders.every((folder) => existsSync(folder)))
  for (const work of undo) work()
  assert.ok(!folders.some((folder) => existsSync(folder)))
})
