import { Refusal } from '../../domain/refusal.ts'

/** The most bytes of a usual JSON body. So much of every body is read. */
export const usualBytesMax = 100 * 1024
/** What one process holds of bodies that are arriving, beyond the usual size: a slow one takes minutes. */
const bytesMax = 32 * 1024 * 1024
/** The part of it that one sender may use, so that none uses all of it. */
const senderBytesMax = 8 * 1024 * 1024

const bytesOf = new Map<string, number>()
let bytesNow = 0

/** The share of an arriving body in that memory. A sender is an organization, or all who send callbacks together. */
export function takeShare(sender: string) {
  let held = 0
  return {
    /** Called with the size of the body so far, before it is stored. Refuses it while the memory is used up. */
    hold(size: number): void {
      const more = Math.max(0, size - usualBytesMax) - held
      if (more <= 0) return
      if (bytesNow + more > bytesMax)
        throw new Refusal('SERVICE_UNAVAILABLE', 'too many long bodies are being sent; try again')
      const ofSender = (bytesOf.get(sender) ?? 0) + more
      if (ofSender > senderBytesMax)
        throw new Refusal('TOO_MANY_REQUESTS', 'too many long bodies of this sender are arriving already', [], 1)
      bytesOf.set(sender, ofSender)
      bytesNow += more
      held += more
    },
    free(): void {
      if (held === 0) return
      bytesNow -= held
      const left = (bytesOf.get(sender) ?? 0) - held
      if (left > 0) bytesOf.set(sender, left)
      else bytesOf.delete(sender)
    },
  }
}
