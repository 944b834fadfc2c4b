import type { Static } from 'typebox'
import type { Refusal } from '../../domain/refusal.ts'
import type { ErrorObject } from '../../schemas/common.ts'

type Served = { publicUrl: string }

/** The error object of the API, with the address of the page about its code (`web/docs/routes.ts`). */
export const errorObject = ({ message, code, errors }: Refusal, { publicUrl }: Served): Static<typeof ErrorObject> => ({
  detail: message,
  error_code: code,
  doc_url: `${publicUrl}/docs/errors#${code}`,
  ...(errors.length > 0 && { errors }),
})

export const errorBody = (refusal: Refusal, served: Served): string => JSON.stringify(errorObject(refusal, served))
