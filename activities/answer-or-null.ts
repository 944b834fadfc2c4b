import { setTimeout } from 'node:timers/promises'
import { RailUnavailable } from '../rails/rail-refusal.ts'
import { inTime } from './in-time.ts'

/** A rail is asked this many times while a member of staff waits for the answer. */
const triesMax = 3
const patienceMs = 3_000
const pauseMs = 500

/**
 * The rail's answer; null where it is unavailable. It is limited in time, so that staff get their response before their
 * call times out.
 */
export async function answerOrNull<T>(call: () => Promise<T>): Promise<T | null> {
  for (let tries = 1; ; tries++) {
    const answer = await withPatience(call)
    if (answer !== null || tries === triesMax) return answer
    await setTimeout(pauseMs)
  }
}

/**
 * A call that is not made again while it is under way: whoever makes it waits for the one that is. For what takes long
 * and is heavy, such as an upload.
 */
export function withoutOverlap<T>(call: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null
  return () => (underWay ??= call().finally(() => (underWay = null)))
}

async function withPatience<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await inTime(patienceMs, call(), null)
  } catch (error) {
    if (error instanceof RailUnavailable) return null
    throw error
  }
}
