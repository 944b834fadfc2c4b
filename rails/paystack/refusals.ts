import type { Reply } from './api.ts'

// What Paystack's errors say about an order (its page "Errors", and the example in its published description). A 400
// means that the request was not fulfilled, and `validation_error` that something in it was missing or not valid. All
// else says nothing about the order: a key, a limit, a feature that is not switched on, a balance of ours that is too
// low, or a processor that has not answered.

/** Names of errors about what the order says. Others, such as those about our balance, may be gone tomorrow. */
const aboutTheOrder = ['missing_params', 'invalid_params']

const isError = ({ status, isDone }: Reply) => !isDone && (status === 400 || status === 422)

/** Whether Paystack finds something in the request itself that is not valid. */
export const isInvalid = (reply: Reply): boolean => isError(reply) && reply.type === 'validation_error'

/** Whether Paystack refuses the order itself. Only the answer to the first sending of an order may be read so. */
export const isRefusal = (reply: Reply): boolean =>
  isInvalid(reply) && aboutTheOrder.includes(reply.code ?? '') && !/balance/i.test(reply.message)

/** Whether Paystack has an order with this reference already. */
export const isDuplicate = (reply: Reply): boolean =>
  isError(reply) &&
  (['duplicate_reference', 'duplicate_transfer_reference'].includes(reply.code ?? '') ||
    /duplicate transaction reference|reference already exists/i.test(reply.message))

/**
 * Whether Paystack does not know the object that was asked about. Its documents give the words of the answer and no
 * status. An answer that something else is not found, such as our account, does not count.
 */
export const isNotFound = (reply: Reply): boolean =>
  !reply.isDone &&
  (reply.status === 400 || reply.status === 404) &&
  (/^(transaction|transfer|charge|dispute|customer)_not_found$/.test(reply.code ?? '') ||
    /^(transaction|transfer|charge|dispute|customer)( reference)? not found/i.test(reply.message))
