import type { Context } from 'koa'
import { type Answer, type Api, type Download, type SentFile, signedOut } from '../api.ts'
import { type Environment, environments } from '../../domain/access/scope.ts'
import { minuteMs } from '../../domain/duration.ts'
import { isOneOf } from '../../domain/narrow.ts'

type Tokens = { access_token: string; refresh_token: string }

/** The methods of the second factor, which the first login step reports. */
const methods = ['totp', 'email_otp'] as const
export type Challenge = { id: string; method: (typeof methods)[number]; takesBackup: boolean }

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** `refreshes` is false where the answer has begun, so that new tokens could not be kept. */
type More = { key?: string; file?: SentFile; actingFor?: string | null; refreshes?: boolean }

type Means = { api: Api; callFor: (ctx: Context) => Record<string, string>; home: string; isSecure: boolean }

export type Sessions = ReturnType<typeof createSessions>

const challengeMs = 10 * minuteMs

const nobody: Answer<never> = { ok: false, refused: signedOut }

/**
 * The signed-in user, stored in cookies. Scripts cannot read them, other sites cannot send them, and they end with the
 * browser session. They contain the API's tokens, and the API decides what these may do.
 */
export function createSessions({ api, callFor, home, isSecure }: Means) {
  const prefix = home.slice(1)
  const names = {
    access: `${prefix}_access`,
    refresh: `${prefix}_refresh`,
    challenge: `${prefix}_challenge`,
    environment: `${prefix}_environment`,
  }

  function put(ctx: Context, name: string, value: string | null, maxAge?: number): void {
    // decided by the public address: behind a proxy the connection itself is not encrypted
    ctx.cookies.secure = isSecure
    const rules = { httpOnly: true, sameSite: 'strict', path: home, secure: isSecure, overwrite: true } as const
    ctx.cookies.set(name, value, { ...rules, ...(maxAge && { maxAge }) })
  }

  const keep = (ctx: Context, tokens: Tokens): void => {
    ctx.state['accessToken'] = tokens.access_token // for further calls of the same request
    put(ctx, names.access, tokens.access_token)
    put(ctx, names.refresh, tokens.refresh_token)
  }

  const forget = (ctx: Context): void => {
    for (const name of Object.values(names)) put(ctx, name, null)
  }

  /** The environment that this person has chosen; null before they choose one. Each request may change it. */
  function chosen(ctx: Context): Environment | null {
    const { environment = ctx.cookies.get(names.environment) } = ctx.state
    return isOneOf(environments, environment) ? environment : null
  }

  function headersOf(ctx: Context): Record<string, string> {
    const environment = chosen(ctx)
    return {
      ...callFor(ctx),
      'x-request-id': String(ctx.state['requestId']),
      ...(environment !== null && { 'x-environment': environment }),
    }
  }

  /** Ends the visit of a browser that others may use. */
  function leave(ctx: Context): void {
    forget(ctx)
    clearKept(ctx)
  }

  async function refresh(ctx: Context): Promise<Answer<Tokens>> {
    const token = ctx.cookies.get(names.refresh)
    // A link of another site brings no cookies, so this says nothing about those that the browser has.
    if (!token) return nobody
    const body = { refresh_token: token }
    const answer = await api.call<Tokens>('POST', '/api/v1/auth/refresh', {
      secret: null,
      headers: headersOf(ctx),
      body,
    })
    if (answer.ok) keep(ctx, answer.body)
    else if (answer.refused.status < 429) {
      leave(ctx)
      return nobody
    }
    return answer
  }

  /** Sends a call with the person's token. An expired one is refreshed first, and the call is sent again. */
  async function asPerson<T>(ctx: Context, send: (secret: string) => Promise<Answer<T>>, refreshes = true) {
    const access = (ctx.state['accessToken'] as string | undefined) ?? ctx.cookies.get(names.access)
    const first = access ? await send(access) : nobody
    // A wrong password or code is 401 too: a second attempt with it would count as another failure.
    if (first.ok || first.refused.code !== 'UNAUTHORIZED' || !refreshes) return first
    const fresh = await refresh(ctx)
    return fresh.ok ? send(fresh.body.access_token) : fresh
  }

  return {
    keep,
    forget,
    leave,
    isKept: (ctx: Context): boolean => ctx.cookies.get(names.refresh) !== undefined,
    refreshToken: (ctx: Context): string | undefined => ctx.cookies.get(names.refresh),
    /** A call for the visitor, without a credential. */
    callAsVisitor: <T>(ctx: Context, path: string, body: object): Promise<Answer<T>> =>
      api.call<T>('POST', path, { secret: null, headers: headersOf(ctx), body }),
    /**
     * A call for the signed-in user, for a connected account where one is named. Refreshes expired tokens. Answers 401
     * if nobody is signed in. With the same `key` the same call is made once.
     */
    call<T>(ctx: Context, method: Method, path: string, body?: object, more: More = {}): Promise<Answer<T>> {
      const { actingFor = null, refreshes = true, ...rest } = more
      const headers = { ...headersOf(ctx), ...(actingFor !== null && { 'x-account-id': actingFor }) }
      const send = (secret: string) => api.call<T>(method, path, { secret, headers, ...(body && { body }), ...rest })
      return asPerson(ctx, send, refreshes)
    },
    /** Reads a file for the signed-in user. */
    download: (ctx: Context, path: string): Promise<Answer<Download>> =>
      asPerson(ctx, (secret) => api.download(path, { secret, headers: headersOf(ctx) })),
    /** The calls of this person are about this environment from now on; null leaves that to the API. */
    choose(ctx: Context, environment: Environment | null): void {
      put(ctx, names.environment, environment)
      ctx.state['environment'] = environment
    },
    hasChosen: (ctx: Context): boolean => chosen(ctx) !== null,
    /** Keeps the first step of a login. An earlier session is dropped, so that a late code is not told of its end. */
    keepChallenge(ctx: Context, { id, method, takesBackup }: Challenge): void {
      if (ctx.cookies.get(names.refresh)) clearKept(ctx)
      put(ctx, names.challenge, `${id}.${method}.${takesBackup ? 1 : 0}`, challengeMs)
      for (const name of [names.access, names.refresh]) put(ctx, name, null)
    },
    challenge(ctx: Context): Challenge | null {
      const [, id, method, backup] =
        /^(chal_[0-9a-z]{34})\.(totp|email_otp)\.([01])$/.exec(ctx.cookies.get(names.challenge) ?? '') ?? []
      return id && isOneOf(methods, method) ? { id, method, takesBackup: backup === '1' } : null
    },
  }
}

/** Asks the browser to drop the pages that it has kept for going back. Browsers heed it over https and on localhost. */
const clearKept = (ctx: Context): void => ctx.set('Clear-Site-Data', '"cache"')
