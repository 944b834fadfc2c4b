import { isUndecided } from '../api.ts'
import type { FormResult } from '../form-result.ts'
import { newFormKey } from './board-form.ts'

/** The result of a long form that was not saved. Where its errors stand only at inputs, a sentence above says so. */
export const notSaved = (result: FormResult): FormResult => ({
  ...result,
  problem: result.problem ?? 'Not saved. See what is marked below.',
})

/** The result of a form that is shown again, and its key where it is one that makes something. */
export type Again = Partial<FormResult> & { formKey?: string }

/**
 * The key of a form in which its page has found an error, so that no call was made. An earlier press may have been
 * carried out, so the form keeps its key.
 */
export const sameKey = (form: URLSearchParams): string => form.get('form_key')?.slice(0, 255) || newFormKey()

/**
 * The key of a form that is shown again after a refusal with this status. Where it is not known whether the call was
 * made, it keeps its key, so that a second attempt does not make it twice.
 */
export const keyAfter = (form: URLSearchParams, status: number): string =>
  isUndecided({ status }) ? sameKey(form) : newFormKey()
