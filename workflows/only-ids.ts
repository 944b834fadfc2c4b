import { ApplicationFailure } from '@temporalio/common'
import { type IdPrefix, idPattern } from '../domain/id.ts'

/** A validator of updates that take one id: no words, and so no personal data, get into a process's history. */
export function anId(prefix: IdPrefix): (given: string) => void {
  const pattern = new RegExp(idPattern(prefix))
  return (given) => {
    if (typeof given === 'string' && pattern.test(given)) return
    throw ApplicationFailure.nonRetryable(`an id that begins with ${prefix}_ is needed`, 'VALIDATION_ERROR')
  }
}
