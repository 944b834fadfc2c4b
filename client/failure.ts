/** One wrong field, as the API names it. */
export type FieldError = { field: string; message: string }

/** An error whose message is enough for the user to act on: it is printed without a stack. */
export class Failure extends Error {
  /** The API's error code, or one of our own. */
  readonly code: string
  readonly errors: readonly FieldError[]

  constructor(code: string, message: string, errors: readonly FieldError[] = []) {
    super(message)
    this.code = code
    this.errors = errors
  }
}
