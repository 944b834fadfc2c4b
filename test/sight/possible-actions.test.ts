import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ActionStanding, obstacleTo, possibleActions } from '../../domain/operator-action.ts'

// Which actions staff have, by the kind of the resource, how far it is, and whether it is on hold.
const standing = (stage: ActionStanding['stage'], isOnHold = false): ActionStanding => ({ stage, isOnHold })

test('what was sent can be retried, held and marked; on hold it is released before it is sent again', () => {
  for (const resource of ['payout', 'refund', 'conversion'] as const) {
    assert.deepEqual(possibleActions(resource, standing('sent')), ['retry', 'hold', 'mark_settled', 'mark_failed'])
    assert.deepEqual(possibleActions(resource, standing('sent', true)), ['release', 'mark_settled', 'mark_failed'])
  }
})

test('what was not sent yet can only be held, and is given up only on hold', () => {
  assert.deepEqual(possibleActions('refund', standing('unsent')), ['hold'])
  assert.deepEqual(possibleActions('refund', standing('unsent', true)), ['release', 'mark_failed'])
  assert.equal(obstacleTo('mark_settled', standing('unsent', true)), 'unsent')
})

test('a dispute is marked only while its network decides, and never held; else it is only asked', () => {
  assert.deepEqual(possibleActions('dispute', standing('sent')), ['retry', 'mark_settled', 'mark_failed'])
  assert.deepEqual(possibleActions('dispute', standing('undecidable')), ['retry'])
  assert.deepEqual(possibleActions('dispute', standing(null)), [])
})

test('a payment is never held, a delivery is never marked as settled, and what has ended has no actions', () => {
  assert.deepEqual(possibleActions('payment', standing('sent')), ['retry', 'mark_settled', 'mark_failed'])
  assert.deepEqual(possibleActions('webhook_delivery', standing('sent')), ['retry', 'hold', 'mark_failed'])
  assert.deepEqual(possibleActions('webhook_delivery', standing('sent', true)), ['release', 'mark_failed'])
  for (const isOnHold of [false, true]) assert.deepEqual(possibleActions('payout', standing(null, isOnHold)), [])
})
