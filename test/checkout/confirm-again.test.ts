import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cards, sale, setup } from '../support/merchant.ts'
import { makeStepsAgain } from '../support/steps-again.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const again = makeStepsAgain()
const stack = await useStack({ rig: again.rig, invariants: 'at the end' })
await useApi(stack)

for (const [what, body] of Object.entries({ 'pays by': sale, saves: setup })) {
  test(`a buyer who ${what} a card is not refused when the step of the code is made again`, async () => {
    const session = await stack.merchant.createCheckout(body)
    await stack.merchant.payByCard(session, cards.threeDs)
    assert.equal((await stack.merchant.confirm(session, { code: '123456' })).status, 200)
    assert.deepEqual(again.refused, [])
  })
}
