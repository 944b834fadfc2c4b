import assert from 'node:assert/strict'
import type { Api } from './api.ts'
import type { Stack } from './stack.ts'

export const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

/** Something that an advance has caused. */
export type Happened = Record<'at' | 'resource_id' | 'step' | 'actor', string> & { last_error: string | null }
export type Clock = Record<'clock_id' | 'frozen_time' | 'status', string> & { happened: Happened[] }

/** A new organization with a test clock, and the calls about clocks. */
export async function beginOnClock(api: Api, more: { frozen_time?: string } = {}) {
  const { merchant, accountId } = await api.addMerchant()
  async function send(at: string, body: object): Promise<Clock> {
    const answer = await merchant.call('POST', `/v1/test-helpers/clocks${at}`, body)
    assert.ok(answer.status < 300, answer.text)
    return answer.body as unknown as Clock
  }
  const clock = await send('', { name: 'A clock', ...more })
  return {
    merchant,
    accountId,
    clock,
    send,
    attach: (body: object) => send(`/${clock.clock_id}/attach`, body),
    advance: (body: object) => send(`/${clock.clock_id}/advance`, body),
  }
}

/** As if these clocks were under way: their workers are elsewhere. */
export const setAdvancing = ({ sql }: Pick<Stack, 'sql'>, clocks: string[]) =>
  sql(`update test_clocks set advanced_from = frozen_time, target = frozen_time + interval '1 day' where id in (?)`, [
    clocks,
  ])
