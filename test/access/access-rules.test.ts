import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../api/operations.ts'
import { roles, scopesOf } from '../../domain/access/role.ts'
import { scopes } from '../../domain/access/scope.ts'
import { invitationMs, isOpen, managesTeam, maskEmail, mayGive } from '../../domain/access/team.ts'

// The rules of roles, scopes and teams, tested without a running service.

test('owners and admins have every scope, developers all that moves no money out, viewers what only reads', () => {
  assert.deepEqual(scopesOf('owner'), scopes)
  assert.deepEqual(scopesOf('admin'), scopes)
  const missing = scopes.filter((scope) => !scopesOf('developer').includes(scope))
  assert.deepEqual(missing, ['payouts:write', 'transfers:write'])
  assert.ok(scopesOf('viewer').length > 10 && scopesOf('viewer').every((scope) => /^\w+:read$/.test(scope)))
  assert.deepEqual(
    scopes.filter((scope) => scope.endsWith(':read')),
    scopesOf('viewer'),
  )
  assert.deepEqual(scopesOf('reviewer'), [])
})

test('GET needs a read scope and every other call a write scope, as does GET of a family that is write only', () => {
  const scoped = operations.flatMap(({ method, path, scope }) => (scope === null ? [] : [{ method, path, scope }]))
  assert.ok(scoped.length > 100)
  const right = scoped.map(({ method, path, scope }) => {
    const [family = ''] = scope.split(':')
    const isRead = method === 'get' && scopes.some((each) => each === `${family}:read`)
    return { method, path, scope: `${family}:${isRead ? 'read' : 'write'}` }
  })
  assert.deepEqual(scoped, right)
})

test('owners and admins manage the team, and nobody makes an owner but an owner', () => {
  assert.deepEqual(roles.filter(managesTeam), ['owner', 'admin'])
  assert.equal(managesTeam(null), false)
  const given = roles.map((own) => roles.filter((role) => mayGive(own, role)))
  assert.deepEqual(given, [[...roles], roles.filter((role) => role !== 'owner'), [], [], []])
})

test('an invitation can be accepted for seven days, to the millisecond, while it is pending', () => {
  assert.equal(invitationMs, 604_800_000)
  const invitation = { status: 'pending', expiresAt: new Date(invitationMs) }
  assert.ok(isOpen(invitation, invitationMs - 1))
  assert.ok(!isOpen(invitation, invitationMs))
  for (const status of ['accepted', 'revoked']) assert.ok(!isOpen({ ...invitation, status }, 0))
})

test('of an address others see its first letter and its domain', () => {
  assert.equal(maskEmail('ada@example.com'), 'a•••@example.com')
  assert.equal(maskEmail('😀smile@example.com'), '😀•••@example.com')
  assert.equal(maskEmail('"a@b"@example.com'), '"•••@example.com')
})
