/** One wrong field, as the API names it. */
export type FieldError = { field: string; message: string; type?: string }

/** An error whose message is enough for the user to act on: it is printed without a stack. */
export class Failure extends Error {
  /** The API's error code, or one of our own. */
  readonly code: string
  readonly errors: readonly FieldError[]
  /** The page about the code; null for codes of our own. */
  readonly docUrl: string | null
  /** The id of the call that was refused, for the service's support and logs; null if there was none. */
  readonly requestId: string | null

  constructor(
    code: string,
    message: string,
    errors: readonly FieldError[] = [],
    docUrl: string | null = null,
    requestId: string | null = null,
  ) {
    super(message)
    this.code = code
    this.errors = errors
    this.docUrl = docUrl
    this.requestId = requestId
  }
}
