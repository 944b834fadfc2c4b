// What the fields of logins and API keys mean. The keys: schemas/common-meanings.ts.

/** What fields of this area mean. */
export const accessMeanings = {
  key_name: 'Your name for the key.',
  scopes: 'What the key may do.',
  keys: 'The keys, newest first.',
  last_used_at: 'When it was last used; null if it never was.',
  'ApiKey.expires_at': 'When the key expires; null if it does not.',
  'ApiKey.is_active': 'Whether the key is accepted.',
  'RevokedApiKey.status': 'The status of the key.',
  'LoginToken.token': 'The token to send with email and password.',
  login_token: 'The token that began the login.',
  password: 'The password.',
  challenge_id: 'The id of the challenge.',
  method: 'Where the code is from: an authenticator app, or a mail.',
  backup_code_allowed: 'Whether a backup code is accepted too.',
  user: 'The person.',
  'LoginUser.id': 'The id of the person.',
  full_name: 'The name of the person.',
  hasOnboarded: 'Whether the person has finished the introduction.',
  'VerifyLogin.code': 'The code, or a backup code.',
  code_type: 'Whether `code` is of the second factor (`primary`) or a backup code (`backup`).',
  access_token: 'The access token, for 15 minutes.',
  refresh_token: 'The refresh token, for 30 days. It is used once.',
  logout_all_devices: 'Whether to log out everywhere.',
  role: 'The role of the person.',
  'SignedIn.account_id': 'The id of the person’s organization; null for staff.',
} as const
