import { ApiKey } from './api-key.ts'
import { LoginFailures } from './login-failures.ts'
import { LoginChallenge, LoginSession, RefreshToken } from './login.ts'
import { SigningKey } from './signing-key.ts'
import { BackupCode, User } from './user.ts'

/** The tables of the area. */
export const accessEntities = [
  ApiKey,
  BackupCode,
  LoginChallenge,
  LoginFailures,
  LoginSession,
  RefreshToken,
  SigningKey,
  User,
]
