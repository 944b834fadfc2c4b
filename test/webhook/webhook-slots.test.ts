import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWebhookSlotSupplier } from '../../engine/webhook-slot-supplier.ts'

/** Requests slots, and counts those that were given. */
function open(max: number) {
  const state = { waiting: 0, given: 0, refused: 0 }
  const slots = createWebhookSlotSupplier(() => state.waiting, max)
  const request = async (count: number, signal = new AbortController().signal) => {
    for (let n = 0; n < count; n++) {
      slots.reserveSlot({} as never, signal).then(
        () => (state.given += 1),
        () => (state.refused += 1),
      )
    }
    await sleep(50)
  }
  const release = async (count: number) => {
    for (let n = 0; n < count; n++) slots.releaseSlot({ permit: {} })
    await sleep(50)
  }
  return { state, slots, request, release }
}

test('few tasks work at a time, and tasks that wait for receivers take no slot from them', async () => {
  const { state, slots, request, release } = open(40)
  await request(60)
  assert.equal(state.given, 16)
  assert.equal(slots.tryReserveSlot({} as never), null)
  state.waiting = 10 // ten of them hang
  await sleep(50)
  assert.equal(state.given, 26)
  state.waiting = 100
  await sleep(50)
  assert.equal(state.given, 40, 'never more than the maximum')
  state.waiting = 0
  await release(30)
  assert.equal(state.given, 46, 'ten are in use, so six more get a slot')
})

test('an aborted request gets no slot, and later requests still get theirs', async () => {
  const { state, slots, request, release } = open(40)
  await request(16)
  const gone = new AbortController()
  await request(3, gone.signal)
  await request(1)
  gone.abort()
  await sleep(50)
  assert.equal(state.refused, 3)
  await release(1)
  assert.equal(state.given, 17)
  await release(16)
  assert.notEqual(slots.tryReserveSlot({} as never), null)
})
