import { operations } from '../../api/operations.ts'
import { markdownTable as table } from '../../api/http/markdown-table.ts'
import { neededScopes } from '../../api/http/needed-scopes.ts'
import type { Credential, Operation } from '../../api/http/operation.ts'
import { roles, scopesOf } from '../../domain/access/role.ts'
import { rateTiers, scopes } from '../../domain/access/scope.ts'
import { conversionMoves } from '../../domain/balance/conversion.ts'
import { balanceTransactionTypes } from '../../domain/balance/transaction.ts'
import { uploadTypes } from '../../domain/catalogue/upload.ts'
import { setupMoves } from '../../domain/checkout/card-setup.ts'
import { paymentStatusMoves, sessionMoves } from '../../domain/checkout/checkout.ts'
import { assetDigitsOf, assetKeys } from '../../domain/checkout/crypto.ts'
import { callingCodesOf, providersOf } from '../../domain/checkout/mobile-money.ts'
import { failureCodes, failureMessages, paymentMoves } from '../../domain/checkout/payment.ts'
import { corridorKeys, corridorOf } from '../../domain/corridor.ts'
import { currencyCodes, digitsOf } from '../../domain/currency.ts'
import { disputeFees, disputeMoves } from '../../domain/dispute/dispute.ts'
import { idPrefixes } from '../../domain/id.ts'
import { destinationMoves } from '../../domain/payout/destination.ts'
import { payoutMoves } from '../../domain/payout/payout.ts'
import { paidOutByType } from '../../domain/payout/routing.ts'
import { disabledReasons } from '../../domain/payout/schedule.ts'
import { capabilityFor } from '../../domain/checkout/method-settings.ts'
import { accountMoves } from '../../domain/platform/account-status.ts'
import { capabilities, type Capability } from '../../domain/platform/capability.ts'
import { requirementCodes, requirementMeanings } from '../../domain/platform/requirement-code.ts'
import {
  accountCountryCodes,
  type BusinessType,
  businessTypes,
  everybody,
  extrasOf,
  isOffered,
  ruleOf,
} from '../../domain/platform/requirement-rule.ts'
import { errorHelp } from '../../domain/error-help.ts'
import { type ErrorCode, errorCodes } from '../../domain/refusal.ts'
import { refundFees, refundMoves } from '../../domain/refund.ts'
import { retryDelaysMs } from '../../domain/webhook/delivery.ts'
import { eventMeanings, eventTypes } from '../../domain/webhook/event.ts'
import { describeEnvironment, type VariableDescription } from '../../engine/config.ts'
import { describeMetrics } from '../../engine/telemetry/counters.ts'
import { testValueTables } from '../../rails/sandbox/test-value-tables.ts'

const code = (text: string): string => `\`${text}\``
const codes = (texts: readonly string[]): string => texts.map(code).join(', ')

const list = (head: string, texts: readonly string[]): string =>
  table(
    [head],
    texts.map((text) => [code(text)]),
  )

const moves = (of: Record<string, readonly string[]>): string =>
  table(
    ['From', 'To'],
    Object.entries(of).map(([from, to]) => [code(from), to.length > 0 ? codes(to) : 'none: final']),
  )

const credentials: Record<Credential, string> = {
  apiKey: 'key',
  user: 'person',
  clientSecret: 'client secret',
  customerToken: 'customer’s token',
  onboardingToken: 'onboarding link’s token',
  invitationToken: 'invitation’s token',
  none: 'none',
}

const operationRow = (operation: Operation): string[] => [
  code(`${operation.method.toUpperCase()} ${operation.path}`),
  [operation.auth.map((each) => credentials[each]).join(' or '), ...neededScopes(operation).map(code)].join(', '),
  operation.summary,
]

/** The operations under the heading of their tag, in the order in which they are declared. */
const operationTables = (): string =>
  [...Map.groupBy(operations, ({ tag }) => tag)]
    .map(([tag, tagged]) => `### ${tag}\n\n${table(['Call', 'Credential, scope', 'Does'], tagged.map(operationRow))}`)
    .join('\n\n')

function corridorRow(key: (typeof corridorKeys)[number]): string[] {
  const { currency, fee, availableAfterDays } = corridorOf(key)
  const fixed = Number(fee.fixed) > 0 ? ` + ${fee.fixed}` : ''
  const cap = fee.cap ? `, at most ${fee.cap}` : ''
  const available = availableAfterDays === 0 ? 'at once' : `after ${availableAfterDays} days`
  return [code(key), currency, `${fee.percent} %${fixed}${cap}`, available, code(capabilityFor(key))]
}

/** What a capability asks for; where a type of business differs from a company, that too. */
function extrasByType(capability: Capability): string {
  const asked = (businessType: BusinessType) => codes(extrasOf(capability, { country: null, businessType }))
  const others = businessTypes.filter((type) => asked(type) !== asked('company'))
  return [asked('company'), ...others.map((type) => `of ${code(type)} accounts: ${asked(type)}`)].join('; ')
}

const minutesOf = (ms: number): string => (ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`)

function variableRow({ name, description, default: value }: VariableDescription): string[] {
  const shown = value === undefined ? 'required' : value === '' ? 'none' : code(String(value))
  return [code(name), description, shown]
}

/** The values that choose what the sandbox does; the reference page shows the same tables. */
const testValues = (name: keyof typeof testValueTables) => (): string =>
  table(testValueTables[name].heads, testValueTables[name].rows)

/** Every table that a page of docs/ may hold between its marks, by name. */
export const tables = {
  metrics: () =>
    table(
      ['Metric', 'Labels', 'Tells'],
      describeMetrics().map(({ name, labels, help }) => [code(name), codes(labels) || 'none', help]),
    ),
  operations: operationTables,
  'id-prefixes': () =>
    table(
      ['Prefix', 'Of'],
      Object.entries(idPrefixes).map(([prefix, noun]) => [code(`${prefix}_`), noun]),
    ),
  currencies: () =>
    table(
      ['Digits', 'Currencies'],
      [...Map.groupBy(currencyCodes, digitsOf)].map(([digits, of]) => [digits, of.join(', ')]),
    ),
  'error-codes': () =>
    table(
      ['Status', 'Codes'],
      [...Map.groupBy(Object.entries(errorCodes), ([, status]) => status)].map(([status, of]) => [
        status,
        codes(of.map(([name]) => name)),
      ]),
    ),
  errors: () =>
    table(
      ['Status', '`error_code`', 'Means', 'Next'],
      Object.entries(errorCodes).map(([name, status]) => {
        const { means, next } = errorHelp[name as ErrorCode]
        return [status, code(name), means, next]
      }),
    ),
  'rate-tiers': () =>
    table(
      ['Tier', 'Calls a minute per key'],
      Object.entries(rateTiers).map(([tier, calls]) => [code(tier), calls ?? 'not limited']),
    ),
  'scopes-of-roles': () =>
    table(
      ['Scope', ...roles.map(code)],
      scopes.map((scope) => [code(scope), ...roles.map((role) => (scopesOf(role).includes(scope) ? 'yes' : ''))]),
    ),
  'checkout-status': () => moves(sessionMoves),
  'checkout-payment-status': () => moves(paymentStatusMoves),
  'payment-status': () => moves(paymentMoves),
  'card-setup-status': () => moves(setupMoves),
  'failure-codes': () =>
    table(
      ['Code', 'What the buyer reads'],
      failureCodes.map((each) => [code(each), failureMessages[each]]),
    ),
  corridors: () => table(['Corridor', 'Currency', 'Fee', 'Available', 'Needs in live'], corridorKeys.map(corridorRow)),
  'mobile-money': () =>
    table(
      ['Currency', '`provider`', 'Numbers begin with'],
      currencyCodes
        .filter((currency) => providersOf(currency).length > 0)
        .map((currency) => [
          currency,
          providersOf(currency).join(', '),
          callingCodesOf(currency)
            .map((prefix) => `+${prefix}`)
            .join(', '),
        ]),
    ),
  'crypto-assets': () =>
    table(
      ['Asset', 'Digits'],
      assetKeys.map((asset) => [code(asset), assetDigitsOf(asset)]),
    ),
  'refund-status': () => moves(refundMoves),
  'refund-fees': () =>
    table(
      ['Corridor', 'Fee of a refund'],
      Object.entries(refundFees).map(([key, fee]) => [code(key), fee]),
    ),
  'dispute-status': () => moves(disputeMoves),
  'dispute-fees': () => table(['Currency', 'Fee of a dispute'], Object.entries(disputeFees)),
  'conversion-status': () => moves(conversionMoves),
  'destination-status': () => moves(destinationMoves),
  'payout-status': () => moves(payoutMoves),
  'payout-rails': () =>
    table(
      ['Type', 'Currencies'],
      Object.entries(paidOutByType).map(([type, currencies]) => [code(type), codes(currencies)]),
    ),
  'schedule-stops': () => list('`disabled_reason`', disabledReasons),
  'transaction-types': () => list('`type`', balanceTransactionTypes),
  'upload-types': () => list('Type', uploadTypes),
  capabilities: () =>
    table(
      ['Capability', 'Exists in', 'Asks for, beside what the account needs'],
      capabilities.map((capability) => [
        code(capability),
        accountCountryCodes.filter((country) => isOffered(country, capability)).join(', '),
        extrasByType(capability),
      ]),
    ),
  'account-status': () => moves(accountMoves),
  requirements: () =>
    table(
      ['Country', 'Business type', 'Due at once, beside what everybody provides', 'Due later'],
      accountCountryCodes.flatMap((country) =>
        businessTypes.map((businessType) => {
          const { now, later } = ruleOf({ country, businessType })
          return [country, code(businessType), codes(now.filter((one) => !everybody.includes(one))), codes(later)]
        }),
      ),
    ),
  'requirement-codes': () =>
    table(
      ['Code', 'Asks for'],
      requirementCodes.map((each) => [code(each), requirementMeanings[each]]),
    ),
  'delivery-retries': () =>
    table(
      ['Attempt', 'After'],
      retryDelaysMs.map((delay, index) => [index + 2, minutesOf(delay)]),
    ),
  'event-types': () =>
    table(
      ['Type', 'Fires when'],
      eventTypes.map((type) => [code(type), eventMeanings[type]]),
    ),
  'sandbox-cards': testValues('sandbox-cards'),
  'sandbox-security-codes': testValues('sandbox-security-codes'),
  'sandbox-phones': testValues('sandbox-phones'),
  'sandbox-prices': testValues('sandbox-prices'),
  'sandbox-payouts': testValues('sandbox-payouts'),
  'sandbox-destinations': testValues('sandbox-destinations'),
  'sandbox-accounts': testValues('sandbox-accounts'),
  'sandbox-references': testValues('sandbox-references'),
  'sandbox-evidence': testValues('sandbox-evidence'),
  'sandbox-holders': testValues('sandbox-holders'),
  configuration: () => table(['Variable', 'Is', 'Default'], describeEnvironment().map(variableRow)),
} satisfies Record<string, () => string>

export type TableName = keyof typeof tables
