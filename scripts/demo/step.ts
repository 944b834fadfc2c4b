import { setTimeout as sleep } from 'node:timers/promises'
import { SetupError } from '../infra/session.ts'

/** Prints a line. */
export const say = (line: string): void => console.log(line)

/** Prints a step that succeeded. */
export const done = (line: string): void => say(`  ✔ ${line}`)

/** Ends the demo, with exit code 1, unless `holds`. */
export function check(holds: boolean, what: string): void {
  if (!holds) throw new SetupError(`  ✖ ${what}`)
}

type Wait = { withinMs: number; everyMs?: number; progress?: () => string }

/**
 * Waits until `look` finds something, and returns that. After `withinMs` it gives up and ends the demo. With `progress`
 * a line is shown every ten seconds.
 */
export async function until<T>(
  what: string,
  look: () => T | null | undefined | Promise<T | null | undefined>,
  { withinMs, everyMs = 100, progress }: Wait,
): Promise<T> {
  const startedAt = performance.now()
  for (let shownAt = startedAt; ; await sleep(everyMs)) {
    const found = await look()
    if (found !== null && found !== undefined) return found
    const at = performance.now()
    check(at - startedAt < withinMs, `waited ${Math.round(withinMs / 1000)} s in vain for ${what}`)
    if (!progress || at - shownAt < 10_000) continue
    shownAt = at
    say(`    ${progress()}`)
  }
}

/** The time of day in UTC, as the demo shows it. */
export const clockTime = (moment: string | Date): string => `${new Date(moment).toISOString().slice(11, 19)} UTC`

/** Whole seconds from now until a moment, never below zero. */
export const secondsUntil = (moment: string): number =>
  Math.max(0, Math.round((new Date(moment).getTime() - Date.now()) / 1000))
