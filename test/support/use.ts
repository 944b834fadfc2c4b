import { after } from 'node:test'

// Resources that a test file needs as long as it runs. A file starts them at its top with `await`, before its first
// test, because `before` hooks at the top level would all run at the same time.

type Scope = {
  /** Checks that run before anything is ended. */
  lastChecks: (() => Promise<void>)[]
  ends: AsyncDisposableStack
}

let scope: Scope
beginFile()

/**
 * Begins the next file of a process that runs several, inside the suite of that file. `onEnd` runs last. Returns what
 * ends the resources of a file that fails before its tests.
 */
export function beginFile(onEnd: () => void = () => {}): () => Promise<void> {
  const lastChecks: Scope['lastChecks'] = []
  const ends = new AsyncDisposableStack()
  ends.defer(onEnd)
  scope = { lastChecks, ends }
  // `after` hooks run in the order of their registration, and none runs after a failed one. So there is only one.
  after(async () => {
    try {
      for (const check of lastChecks) await check()
    } finally {
      await ends.disposeAsync()
    }
  })
  return () => ends.disposeAsync()
}

/** Does something when the tests of the file are over, the last registered first, even if a check failed. */
export function atEnd(end: () => unknown): void {
  scope.ends.defer(async () => void (await end()))
}

/** Checks something when the tests of the file are over, before anything ends. */
export function checkAtEnd(check: () => Promise<void>): void {
  scope.lastChecks.push(check)
}

/** Starts something for the tests of a file, and ends it when they are over. */
export async function use<T>(start: () => Promise<T>, end: (started: T) => unknown): Promise<T> {
  const started = await start()
  atEnd(() => end(started))
  return started
}
