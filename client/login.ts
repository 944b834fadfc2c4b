import type { Environment } from '../domain/access/scope.ts'
import { type Api, ApiRefusal, connect } from './api.ts'
import { type Connection, type knownAddress, readAddress } from './connection.ts'
import {
  type Credential,
  credentialFile,
  readCredential,
  removeCredential,
  renewSession,
  type Tokens,
  writeCredential,
} from './credential.ts'
import { Failure } from './failure.ts'
import { type Output, plain } from './output.ts'
import { createPrompter } from './prompt.ts'

export type LoginOptions = { email?: string; environment: Environment; apiKey?: boolean }
type Address = ReturnType<typeof knownAddress>
type Challenge = { challenge_id: string; method: 'totp' | 'email_otp' }
type Session = Tokens & { user: { email: string } }
type Prompter = ReturnType<typeof createPrompter>

/** Logs a person in, or takes an API key from stdin, and stores the credential. Asks for what was not given. */
export async function logIn(address: Address, output: Output, options: LoginOptions): Promise<void> {
  const file = credentialFile()
  assertLoggedOut(file)
  const prompter = createPrompter()
  try {
    const base_url = readAddress(address.given ?? (await askAddress(prompter, address.usual)))
    assertSecret(base_url)
    const credential = options.apiKey
      ? await checkedKey(base_url, prompter)
      : await openSession(base_url, prompter, options)
    writeCredential(file, credential)
    const who = credential.kind === 'session' ? { email: credential.email, environment: credential.environment } : null
    const how = who ? `as ${plain(who.email)}, in ${who.environment}` : 'with an API key'
    output.show({ kind: credential.kind, base_url, ...who, file }, () => [`Logged in to ${base_url} ${how}.`])
  } finally {
    prompter.close()
  }
}

async function askAddress(prompter: Prompter, usual: string | undefined): Promise<string> {
  if (!usual) return prompter.ask('Service URL: ')
  return prompter.isTerminal ? (await prompter.ask(`Service URL [${usual}]: `)) || usual : usual
}

/** A second login would leave a session behind that nobody ends. */
function assertLoggedOut(file: string): void {
  const stored = readCredential(file)
  if (stored?.kind !== 'session') return
  const who = `${plain(stored.email)} at ${stored.base_url}`
  throw new Failure('LOGGED_IN', `You are logged in as ${who}. Run steadypay logout first.`)
}

function assertSecret(baseUrl: string): void {
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)) return
  throw new Failure('NOT_SECRET', `${baseUrl} would get your password unencrypted. Use https.`)
}

async function checkedKey(base_url: string, prompter: Prompter): Promise<Credential> {
  const api_key = (await prompter.askHidden('API key: ')).trim()
  const api = connect({ baseUrl: base_url, apiKey: api_key, keySource: 'stdin' })
  await api.call({ method: 'GET', path: '/v1/reference/product-categories' }) // every key may read them
  return { kind: 'api_key', base_url, api_key }
}

async function openSession(base_url: string, prompter: Prompter, options: LoginOptions): Promise<Credential> {
  const { environment } = options
  const api = connect({ baseUrl: base_url, apiKey: '', keySource: '' })
  const post = <T>(path: string, body: Record<string, unknown>) =>
    api.call<T>({ method: 'POST', path: `/api/v1/auth/${path}`, body, as: null })
  const email = options.email ?? (await prompter.ask('Email: '))
  const password = await prompter.askHidden('Password: ')
  const { token: login_token } = await post<{ token: string }>('login/init', {})
  const { challenge_id, method } = await post<Challenge>('login', { email, password, login_token })
  const where = method === 'totp' ? 'your authenticator app shows' : 'we have mailed to you'
  const code = (await prompter.askHidden(`The six-digit code that ${where}, or a backup code: `)).trim()
  const code_type = /^\d{6}$/.test(code) ? 'primary' : 'backup'
  const { user, ...tokens } = await post<Session>('login/2fa/verify', { challenge_id, code, code_type })
  const { access_token, refresh_token } = tokens
  const credential = { kind: 'session', base_url, email: user.email, environment, access_token, refresh_token } as const
  await assertMaySee(credential)
  return credential
}

/** Throws unless the service shows the person their environment; then the session that was opened is ended again. */
async function assertMaySee(credential: Credential & { kind: 'session' }): Promise<void> {
  const { base_url, environment, access_token } = credential
  const session = { environment, renew: async () => null }
  const api = connect({ baseUrl: base_url, apiKey: access_token, keySource: 'login', session })
  try {
    await api.call({ method: 'GET', path: '/api/v1/auth/me' })
  } catch (error) {
    await endOnServer(credential, access_token).catch(() => false) // the first error says what is wrong
    if (!(error instanceof ApiRefusal && error.code === 'FORBIDDEN')) throw error
    throw new Failure('FORBIDDEN', `You have no access to the environment ${environment}.`)
  }
}

/** Ends the session on the server and removes the stored credential. An API key stays valid. */
export async function logOut(output: Output): Promise<void> {
  const file = credentialFile()
  const stored = readCredential(file)
  if (!stored) throw new Failure('NOT_LOGGED_IN', 'You are not logged in.')
  const isEnded = stored.kind === 'session' && (await endSession(file, stored))
  removeCredential(file)
  const more = stored.kind === 'api_key' ? ' The API key stays valid until it is revoked.' : ''
  output.show({ logged_out: true, base_url: stored.base_url, session_ended: isEnded }, () => [`Logged out.${more}`])
}

/** Whether the session was open. If the server does not answer this throws, and the credential is kept for a retry. */
async function endSession(file: string, stored: Credential & { kind: 'session' }): Promise<boolean> {
  if (await endOnServer(stored, stored.access_token)) return true
  const renewed = await renewSession(file, stored.access_token)
  const now = readCredential(file)
  return renewed !== null && now?.kind === 'session' && endOnServer(now, renewed)
}

/** False if the access token no longer works. */
async function endOnServer({ base_url, refresh_token }: Credential & { kind: 'session' }, access: string) {
  const api = connect({ baseUrl: base_url, apiKey: access, keySource: 'login' })
  const sent = { method: 'POST', path: '/api/v1/auth/logout', body: { refresh_token } } as const
  return api.call(sent).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiRefusal && error.status === 401) return false
      throw error
    },
  )
}

/** The account of the caller; null if they may not read it. */
const ownAccount = (call: Api['call']) =>
  call({ method: 'GET', path: '/v1/account' }).catch((error: unknown) => {
    if (error instanceof ApiRefusal && error.code === 'FORBIDDEN') return null
    throw error
  })

type Me = { user: { email: string; full_name: string }; role: string; account_id: string | null; environment: string }

/** Shows who the commands act as, and where. */
export async function showSelf({ call, baseUrl }: Api, output: Output, { keySource, session }: Connection) {
  const me = session ? await call<Me>({ method: 'GET', path: '/api/v1/auth/me' }) : null
  const account = me?.account_id === null ? null : await ownAccount(call)
  const shown = {
    base_url: baseUrl,
    credential: me ? 'session' : 'api_key',
    source: keySource,
    account_id: account?.['account_id'] ?? null,
    account_name: account?.['name'] ?? null,
    ...(me && { email: me.user.email, role: me.role, environment: me.environment }),
  }
  output.show(shown, () => Object.entries(shown).map(([name, value]) => plain(`${name.padEnd(13)} ${value ?? 'none'}`)))
}
