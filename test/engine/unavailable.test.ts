import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DriverException } from '@mikro-orm/core'
import { isUnavailable } from '../../engine/unavailable.ts'

const failed = (code: string) => Object.assign(new Error('it failed'), { code })

/** As Node fails for a host with several addresses: the error has the code of the first one. */
const failedAtEach = (...codes: string[]) =>
  Object.assign(new AggregateError(codes.map(failed)), codes[0] && { code: codes[0] })

const codes = [
  'ECONNREFUSED ECONNRESET ETIMEDOUT EHOSTUNREACH ENOTFOUND EAI_AGAIN',
  'ENETUNREACH ENETDOWN EHOSTDOWN EADDRNOTAVAIL ERR_SOCKET_CONNECTION_TIMEOUT',
  '08006 57P01 53300 40001',
].flatMap((some) => some.split(' '))

const cases: [string, unknown, boolean][] = [
  ...codes.map((code): [string, unknown, boolean] => [code, failed(code), true]),
  ['a cause', new Error('it failed', { cause: failed('ENETDOWN') }), true],
  ['one of several addresses', failedAtEach('EACCES', 'ECONNREFUSED'), true],
  ['one of several addresses, in the error of the ORM', new DriverException(failedAtEach('EACCES', 'ENETDOWN')), true],
  ['several addresses as a cause', new Error('it failed', { cause: failedAtEach('EACCES', 'ENETDOWN') }), true],
  ['several addresses, for another reason', failedAtEach('EACCES', 'EPERM'), false],
  ['a wrong statement', failed('42601'), false],
  ['an error without a code', new Error('it failed'), false],
  ['no error', 'ECONNREFUSED', false],
]

for (const [what, error, expected] of cases) {
  test(`the database or engine ${expected ? 'is' : 'is not'} unavailable: ${what}`, () => {
    assert.equal(isUnavailable(error), expected)
  })
}
