import { after } from 'node:test'

// What a test file needs for as long as it runs. A file starts it at its top with `await`, before its first test:
// `before` hooks of a file's top level would all run at the same time.

/** Checks of what is still running. */
const lastChecks: (() => Promise<void>)[] = []
const ends = new AsyncDisposableStack()

// `after` hooks run in the order in which they are registered, and none after one that failed. So there is one.
after(async () => {
  try {
    for (const check of lastChecks) await check()
  } finally {
    await ends.disposeAsync()
  }
})

/** Does something when the tests of the file are over. What is asked for last is done first, even if a check failed. */
export function atEnd(end: () => unknown): void {
  ends.defer(async () => void (await end()))
}

/** Checks something when the tests of the file are over, before anything ends. */
export function checkAtEnd(check: () => Promise<void>): void {
  lastChecks.push(check)
}

/** Starts something for the tests of a file, and ends it when they are over. */
export async function use<T>(start: () => Promise<T>, end: (started: T) => unknown): Promise<T> {
  const started = await start()
  atEnd(() => end(started))
  return started
}
