import { createHash } from 'node:crypto'

/**
 * The idempotency key of a call that a form makes, from the key in the form and the body of the call: an edited form is
 * a new call, and one that is sent again is the same call.
 */
export const keyOfForm = (formKey: string | null, body: object): string =>
  createHash('sha256')
    .update(`${formKey}\0${JSON.stringify(body)}`)
    .digest('base64url')
