import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { operationIdOf } from '../../api/http/operation-id.ts'
import { operations } from '../../api/operations.ts'
import { ROOT } from '../../scripts/infra/paths.ts'

const file = 'test/http/operation-ids.txt'
const ids = operations.map(operationIdOf)

test('the operation ids are those of the list in test/http, so that a change of one is seen in review', () => {
  const lines = operations.map((operation) => {
    const { method, path } = operation
    return `${operationIdOf(operation)} ${method.toUpperCase()} ${path}`
  })
  const listed = readFileSync(join(ROOT, file), 'utf8').trim().split('\n')
  assert.deepEqual(lines.toSorted(), listed, `${file} has one line for each operation: its id, method and path`)
})

test('each operation has an id of its own, of words in camel case with dots between them', () => {
  assert.equal(new Set(ids).size, operations.length)
  for (const id of ids) assert.match(id, /^[a-z][A-Za-z]+(\.[a-z][A-Za-z]+)+$/)
})

test('no id is the beginning of another, so that clients can make nested objects of them', () => {
  for (const id of ids) assert.ok(!ids.some((other) => other.startsWith(`${id}.`)), id)
})

test('the ids of staff operations, and no others, begin with staff', () => {
  for (const operation of operations) {
    assert.equal(operationIdOf(operation).startsWith('staff.'), operation.forStaff === true, operation.path)
  }
})

test('an operation with a new path gets its id by the rule, without an entry in a table', () => {
  const id = (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string) => operationIdOf({ method, path })
  assert.equal(id('post', '/v1/coupon-codes'), 'couponCodes.create')
  assert.equal(id('get', '/v1/coupon-codes'), 'couponCodes.list')
  assert.equal(id('get', '/v1/coupon-codes/{id}'), 'couponCodes.get')
  assert.equal(id('patch', '/v1/coupon-codes/{id}'), 'couponCodes.update')
  assert.equal(id('delete', '/v1/coupon-codes/{id}'), 'couponCodes.delete')
  assert.equal(id('put', '/v1/coupon-codes/{id}'), 'couponCodes.set')
  assert.equal(id('post', '/v1/coupon-codes/{id}/take-back'), 'couponCodes.takeBack')
  assert.equal(id('get', '/v1/coupon-codes/{id}/usage_report'), 'couponCodes.getUsageReport')
  assert.equal(id('get', '/v1/coupon-codes/{id}/uses/{use_id}'), 'couponCodes.uses.get')
  assert.equal(id('post', '/api/v1/admin/coupon-codes/{id}/hold'), 'staff.couponCodes.hold')
})
