import Type from 'typebox'
import { destinationTypes } from '../../domain/payout/destination.ts'
import {
  isPayoutCurrency,
  isStablecoin,
  payoutCurrencies,
  readRouting,
  type Routing,
  routingFields,
  type StatedRouting,
} from '../../domain/payout/routing.ts'
import { type FieldError, unsupportedCurrency } from '../../domain/refusal.ts'
import type { Environment } from '../../domain/access/scope.ts'
import { singleLine, sentCurrency, visibleLine } from '../../schemas/common.ts'
import type { ValidationContext } from '../http/operation.ts'
import { assertValid } from '../http/validate.ts'

const text = (maxLength: number, more: object = {}) => Type.Optional(singleLine(maxLength, more))

export const Name = singleLine(255, { minLength: 1 })

/** The routing fields of a registration and of a change, with the lengths of the HTTP contract. */
export const sentRouting = {
  currency: Type.Optional(sentCurrency({ maxLength: 10, examples: ['NGN'] })),
  type: Type.Optional(Type.Enum([...destinationTypes])),
  destination_type: Type.Optional(
    Type.Enum([...destinationTypes], { description: 'Another name of `type`. `type` is used if both are sent.' }),
  ),
  account_number: text(50),
  account_name: text(255, { description: 'In NGN a registration gets it from the bank; an update uses it as sent.' }),
  bank_code: text(20, { description: 'A code of the bank, a sort code, an ABA or a transit number, or a BIC.' }),
  bank_name: text(255),
  scheme: text(10, { description: 'The payment scheme for USD (`ach`, `wire`) and CAD (`eft`, `wire`).' }),
  phone_number: text(20, { format: 'e164', pattern: '^\\+[1-9]\\d{6,14}$', examples: ['+2348012345678'] }),
  mobile_provider: text(50),
  wallet_address: text(255),
  network: text(50, { description: 'May be left out, as the currency implies it.' }),
  is_default: Type.Optional(Type.Boolean()),
}

type Sent = Record<string, unknown>
const described = ['currency', 'type', 'destination_type', ...routingFields]

/** Whether a change contains routing fields. */
export const statesRouting = (body: Sent): boolean => described.some((field) => body[field] !== undefined)

const isVisible = new RegExp(visibleLine)

type Said = Partial<Record<keyof StatedRouting, string>>

/** The routing in an unchecked body. The schema check reports values that are not text. */
function statedIn(body: Sent, before: Routing | null): Said {
  const textOf = (field: string) => (typeof body[field] === 'string' ? body[field] : undefined)
  const currency = textOf('currency') ?? before?.currency
  const byCurrency = isStablecoin(textOf('currency') ?? '') ? 'crypto_wallet' : before?.type
  const type = textOf('type') ?? textOf('destination_type') ?? byCurrency
  const sent = routingFields.flatMap((field) => {
    const value = textOf(field)
    // A rail has to be told a holder's name, so a blank one counts as left out.
    const isLeftOut = value === undefined || (field === 'account_name' && !isVisible.test(value))
    return isLeftOut ? [] : [[field, value]]
  })
  // An empty text counts as sent: it is an unknown currency.
  return {
    ...Object.fromEntries(sent),
    ...(type !== undefined && { type }),
    ...(currency !== undefined && { currency }),
  }
}

const isComplete = (stated: Said): stated is StatedRouting =>
  stated.currency !== undefined &&
  isPayoutCurrency(stated.currency) &&
  destinationTypes.some((type) => type === stated.type)

/** The errors in a registration that the schema cannot find. */
export function validateRegistration(body: Sent, { caller }: ValidationContext): FieldError[] {
  const stated = statedIn(body, null)
  if (stated.currency !== undefined && !isPayoutCurrency(stated.currency)) return []
  if (isComplete(stated)) return readRouting(stated, null, caller.environment).errors
  return stated.type === undefined ? [{ field: 'type', message: 'is required', type: 'value_error.missing' }] : []
}

/** A change must contain more than metadata (docs/contract/payout.md, "Changing a destination"). */
export function validateChange(body: Sent): FieldError[] {
  if (body['name'] !== undefined || body['is_default'] !== undefined || statesRouting(body)) return []
  const message = 'name, is_default or a routing detail is required'
  return [{ field: 'body', message, type: 'value_error.missing' }]
}

/** The checked routing of a body, with its errors. Fields that are left out keep their earlier values. */
export function readSentRouting(
  body: Sent,
  before: Routing | null,
  environment: Environment,
  ofElse: FieldError[] = [],
): Routing {
  const stated = statedIn(body, before)
  if (stated.currency !== undefined && !isPayoutCurrency(stated.currency)) throw unsupported() // whatever the type
  if (!isComplete(stated)) throw new Error('a checked body states a type and a currency')
  const { routing, errors } = readRouting(stated, before, environment)
  assertValid([...errors, ...ofElse])
  return routing
}

export const unsupported = () => unsupportedCurrency('currency', payoutCurrencies)
