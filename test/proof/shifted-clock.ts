// Loaded before a process and each of its threads (`node --import ./test/proof/shifted-clock.ts <entry>`): the clock of
// its machine is wrong by as many milliseconds as the file CLOCK_FILE says, and follows the file, so that it can jump.
// `Date` is all that a Node process sees of that clock; `performance.now()` counts on, as on a real machine. Only
// wrong-clocks.ts uses it.
import { readFileSync } from 'node:fs'

const file = process.env['CLOCK_FILE'] ?? ''
const RealDate = Date
const readShift = () => Number(readFileSync(file, 'utf8'))
let shiftMs = readShift()
setInterval(() => void (shiftMs = readShift()), 50).unref()

const now = () => RealDate.now() + shiftMs
globalThis.Date = new Proxy(RealDate, {
  construct: (real, args: [], target) => Reflect.construct(real, args.length === 0 ? [now()] : args, target) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (real, name, receiver) => (name === 'now' ? now : Reflect.get(real, name, receiver)),
})
