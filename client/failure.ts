/** One wrong field, as the API names it. */
export type Fault = { field: string; message: string }

/** What cannot be done, said so that the user knows what to do about it: no stack is printed. */
export class Failure extends Error {
  /** The API's error code, or one of our own. */
  readonly code: string
  readonly faults: readonly Fault[]

  constructor(code: string, message: string, faults: readonly Fault[] = []) {
    super(message)
    this.code = code
    this.faults = faults
  }
}
