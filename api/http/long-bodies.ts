import { Refusal } from '../../domain/refusal.ts'

/** The most bytes of a usual JSON body. So much of every body is read. */
export const usualBytesMax = 100 * 1024
/** What one process holds of bodies that are arriving, beyond the usual size: a slow one takes minutes. */
const bytesMax = 32 * 1024 * 1024

let bytesNow = 0

/** The share of an arriving body in that memory. */
export function takeShare() {
  let held = 0
  return {
    /** Called with the size of the body so far, before it is stored. Refuses it while the memory is used up. */
    hold(size: number): void {
      const more = Math.max(0, size - usualBytesMax) - held
      if (more <= 0) return
      if (bytesNow + more > bytesMax)
        throw new Refusal('SERVICE_UNAVAILABLE', 'too many long bodies are being sent; try again')
      bytesNow += more
      held += more
    },
    free(): void {
      bytesNow -= held
    },
  }
}
