/** One wrong field, as the API names it. */
export type FieldError = { field: string; message: string }

/** What cannot be done, said so that the user knows what to do about it: no stack is printed. */
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
