import type { Operation } from '../http/operation.ts'
import * as key from './api-key.ts'
import * as login from './login.ts'
import * as logout from './logout.ts'
import { readSignedIn } from './me.ts'

/** The operations of the area: keys and logging in. */
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
]
