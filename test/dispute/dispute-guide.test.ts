import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disputing } from '../support/dispute.ts'
import { pastedFrom } from '../support/guide.ts'
import { pdf, sendFile } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

test('the calls of the guide work as pasted, in their order', async () => {
  const { key, merchant } = await api.addMerchant()
  const ids: Record<string, string> = {}
  const learn = (text: string) => {
    for (const [id, prefix = ''] of text.matchAll(/\b([a-z]+)_[0-9a-z]{34}\b/g)) ids[prefix] = id
  }
  const filled = (text: string) => text.replaceAll(/\b([a-z]+)_…/g, (whole, prefix: string) => ids[prefix] ?? whole)
  const raise = async () =>
    void (ids['dsp'] = (await disputing(merchant).raise(await merchant.chargeByCard())).dispute_id)
  await raise()
  const answers: string[] = []
  for (const call of pastedFrom('disputes', filled)) {
    const { path } = call()
    if (path.endsWith('/uploads')) {
      learn((await sendFile(merchant, pdf, 'receipt.pdf')).text)
      continue
    }
    if (path.endsWith('/accept')) await raise() // the dispute before has been submitted
    if (path.includes('/payments/')) learn(await merchant.chargeByCard())
    const { method, path: address, type, body } = call()
    const headers = { authorization: `Bearer ${key}`, 'content-type': type }
    const reply = await fetch(stack.baseUrl + address, { method, headers, ...(body !== undefined && { body }) })
    const text = await reply.text()
    answers.push(`${method} ${path}`)
    assert.ok(reply.status < 300, `${answers.at(-1)}: ${text}`)
    learn(text)
    if (text.startsWith('{"dispute_id"')) ids['dsp'] = (JSON.parse(text) as { dispute_id: string }).dispute_id
  }
  assert.equal(answers.length, 9, answers.join('\n'))
})
