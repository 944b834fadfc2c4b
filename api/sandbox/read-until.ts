import { setTimeout } from 'node:timers/promises'

/**
 * Reads anew every 50 ms, for some five seconds, until what is read is what a process has to make of it; returns what
 * was read last, whether it is that or not.
 */
export async function readUntil<T>(
  read: () => Promise<T>,
  holds: (found: T) => boolean | Promise<boolean>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    const found = await read()
    if (tries >= 100 || (await holds(found))) return found
    await setTimeout(50)
  }
}
