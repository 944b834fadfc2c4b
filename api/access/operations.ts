import type { Operation } from '../http/operation.ts'
import * as acceptance from './accept-invitation.ts'
import * as key from './api-key.ts'
import * as invitation from './invitation.ts'
import * as login from './login.ts'
import * as logout from './logout.ts'
import { readSignedIn } from './me.ts'
import * as authenticator from './own-authenticator.ts'
import * as own from './own-login.ts'
import { endOwnSession, listSessions } from './session.ts'
import * as team from './team.ts'

/** The operations of the area: keys, logging in, changing how one logs in, and the people of an organization. */
export const accessOperations: readonly Operation[] = [
  key.createKey,
  key.listKeys,
  key.revokeKey,
  key.changeScopes,
  login.beginLogin,
  login.sendPassword,
  login.verifyLogin,
  login.resendCode,
  logout.refreshTokens,
  logout.logOut,
  readSignedIn,
  listSessions,
  endOwnSession,
  own.readSecondFactor,
  own.sendOwnCode,
  own.changePassword,
  own.makeBackupCodes,
  authenticator.beginAuthenticator,
  authenticator.confirmAuthenticator,
  team.listMembers,
  team.readMember,
  team.changeRole,
  team.removeMember,
  invitation.createInvitation,
  invitation.listInvitations,
  invitation.readInvitation,
  invitation.resendInvitation,
  invitation.revokeInvitation,
  acceptance.openInvitation,
  acceptance.acceptInvitation,
  acceptance.confirmInvitation,
]
