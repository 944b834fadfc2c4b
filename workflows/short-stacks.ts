// Loaded once by each thread that runs processes, before any of them begins: later nothing of the language can be
// changed.

/**
 * The SDK notes for every promise of a process where it was made, for the page "Call stack" of the UI. With the usual
 * ten frames that was a third of what a process costs (decision 0093). Every promise that waits for another is listed
 * with its own place, so three frames still say where a process stands. Errors have three as well.
 */
Error.stackTraceLimit = 3
