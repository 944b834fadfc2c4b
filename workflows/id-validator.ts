import { ApplicationFailure } from '@temporalio/common'
import { type IdPrefix, idPattern } from '../domain/id.ts'

/** Whether a value sent to a process is an id of this kind. */
export const isId = (prefix: IdPrefix, given: unknown): given is string =>
  typeof given === 'string' && new RegExp(idPattern(prefix)).test(given)

/** A validator of updates that take one id. It keeps other text, and so personal data, out of a process's history. */
export function validateId(prefix: IdPrefix): (given: string) => void {
  return (given) => {
    if (isId(prefix, given)) return
    throw ApplicationFailure.nonRetryable(`an id that begins with ${prefix}_ is needed`, 'VALIDATION_ERROR')
  }
}
