import Type from 'typebox'
import { LoginSession, openSessionsOf } from '../../db/access/login.ts'
import { audit } from '../../db/core/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { EndedSession, LoginSessions, presentSession } from '../../schemas/access/team.ts'
import { idParameter } from '../../schemas/common.ts'
import { operation } from '../http/operation.ts'

const path = '/api/v1/auth/sessions'
const shared = { tag: 'Login', auth: ['user'], scope: null } as const

export const listSessions = operation({
  ...shared,
  method: 'get',
  path,
  summary: 'List the devices on which you are signed in, newest first',
  returns: [200, LoginSessions],
  refuses: [],

  async handle({ caller: { userId, sessionId }, em, now }) {
    const open = await openSessionsOf(em, { userId: userId ?? '', sessionId }, now)
    return { sessions: open.map((row) => presentSession(row, sessionId)) }
  },
})

export const endOwnSession = operation({
  ...shared,
  method: 'delete',
  path: `${path}/{session_id}`,
  summary: 'Sign out of one device; its tokens are refused within a second',
  params: Type.Object({ session_id: idParameter('ses') }),
  returns: [200, EndedSession],
  refuses: ['NOT_FOUND'],

  async handle({ params: { session_id: id }, caller, em, now }) {
    const { accountId, address } = caller
    const userId = caller.userId ?? ''
    const isOwn = (await em.count(LoginSession, { id, userId })) > 0
    if (!isOwn) throw new Refusal('NOT_FOUND', 'no such session of yours')
    // Only the call that ends it leaves a row in the log, also where two come at once.
    const ended = await em.nativeUpdate(LoginSession, { id, userId, endedAt: null }, { endedAt: new Date(now) })
    if (ended > 0)
      audit(em, { accountId: accountId || null, userId, action: 'login.session_ended', target: id, address }, now)
    return { session_id: id, status: 'ended' as const, deleted: true as const }
  },
})
