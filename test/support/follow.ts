import assert from 'node:assert/strict'
import { createIds, type PastedCall, pastedFrom } from './guide.ts'
import type { Merchant } from './merchant.ts'
import { addImage } from './upload.ts'

export type Answer = Record<string, unknown>
/** A call of a page that was made, with its answer. */
export type Made = { answer: Answer; merchant: Merchant; call: PastedCall }
/** What is done or must hold after a call, by its method and path. */
type After = Record<string, (made: Made) => Promise<unknown> | void>

type Reader = { key: string; accountId: string; merchant: Merchant }
type Options = {
  after?: After
  /** Makes what the page takes for granted; the ids in its answers are known from then on. */
  prepare?: (merchant: Merchant) => Promise<unknown>
  /** What the names of the page stand for, such as `$TOKEN`, as they become known. */
  names?: Record<string, string>
  /** Puts something else in place of a part of its text, such as a port. */
  replaced?: (text: string) => string
}

/** Sends the calls of a page as they are pasted, in their order. Each must succeed. Returns what was called. */
export async function follow(
  { key, accountId, merchant }: Reader,
  page: string,
  { after = {}, prepare, names = {}, replaced = (text) => text }: Options = {},
): Promise<string[]> {
  const { learn, filled } = createIds(accountId)
  learn(JSON.stringify((await prepare?.(merchant)) ?? null))
  const withNames = (text: string) =>
    filled(replaced(text)).replaceAll(/\$([A-Z_]+)/g, (whole, name: string) => names[name] ?? whole)
  const waiting = new Set(Object.keys(after))
  const made: string[] = []
  for (const pasted of pastedFrom(page, withNames)) {
    const call = pasted()
    if (call.isFile) {
      learn(await addImage(merchant))
      continue
    }
    const { method, path, type, body, headers: written, token } = call
    const headers = { authorization: `Bearer ${token ?? key}`, ...written, ...(body && { 'content-type': type }) }
    const reply = await fetch(merchant.baseUrl + path, { method, headers, ...(body && { body }) })
    const text = await reply.text()
    const name = `${method} ${path.replaceAll(/[a-z]+_[0-9a-z]{34}/g, '…')}`
    assert.ok(reply.status < 300, `${name}: ${reply.status} ${text}\n${body}`)
    learn(text)
    made.push(name)
    await after[name]?.({ answer: JSON.parse(text) as Answer, merchant, call })
    waiting.delete(name)
  }
  assert.deepEqual([...waiting], [], 'calls that the page does not have')
  return made
}
