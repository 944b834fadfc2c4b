import { InvalidArgumentError } from 'commander'

/** Reads how many lines a list may have, from 1 to `max`. */
export function readLimit(max: number) {
  return (text: string): number => {
    if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= max) return Number(text)
    throw new InvalidArgumentError(`Enter a number from 1 to ${max}.`)
  }
}
