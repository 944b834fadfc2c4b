import type { Context } from 'koa'
import type { Answer, Refused } from '../api.ts'
import type { FormResult } from '../form-result.ts'
import { goTo, pageOf, stepOf, type Site } from '../site.ts'
import { forbidden, mayDo, newQuestionKey, questionKeyIn } from './board-form.ts'
import { showUnread } from './dashboard-lists.ts'
import {
  fieldsOfKind,
  isResolved,
  kindKey,
  type Kind,
  kindOf,
  kindOptions,
  type TypedDestination,
  typedIn,
  wordDestination,
  wordsOfField,
} from './destination-fields.ts'
import { textIn } from './list-filter.ts'
import type { ShownDestination } from './payout-words.ts'

type NamedKind = Kind & { name: string }

/** The form as it was typed, for one kind of destination. */
type Tried = { kind: NamedKind; typed: TypedDestination; isDefault: boolean }

/** The question whether a destination is meant: `holder` is the name that the bank has, where it has told one. */
type Question = { key: string; holder: string | null; problem: string | null; status: number }

const unsure = 'It is not known whether this was added. Press the button again in a moment: it is added once.'

const common = { isSignedIn: true, at: '/destinations' }

/**
 * `/dashboard/destinations/new`: the kind of destination, then its form, then a page that shows everything, with the
 * name of the account's holder where the bank tells it.
 */
export function addDestinationForm(site: Site, folder: string): void {
  const { home, sessions, now, read, submit, show } = site
  const path = `${folder.slice(home.length)}/new`

  /** Why nobody adds a destination here now; null for somebody who may. */
  function refusalOf(ctx: Context): Refused | null {
    if (site.personOf(ctx) === null) return site.whyUnknown(ctx)
    return mayDo(site, ctx, 'payouts:write') ? null : forbidden
  }

  function showForm(ctx: Context, { kind, typed, isDefault }: Tried, result: Partial<FormResult> = {}): void {
    const fields = fieldsOfKind(kind).filter(({ name }) => name !== 'account_name' || !isResolved(kind))
    const data = {
      heading: 'Add a destination',
      about: kind.name,
      path: `${home}${path}`,
      back: { link: folder, words: 'All destinations' },
      kind: kindKey(kind),
      fields,
      typed,
      isDefault,
      asksDefault: true,
    }
    show(
      ctx,
      stepOf('dashboard/destination-form', data.heading, { ...common, ...data, ...result }, result.status ?? 200),
    )
  }

  function showQuestion(ctx: Context, { kind, typed, isDefault }: Tried, question: Question): void {
    const { key, holder, problem, status } = question
    const facts = [
      { name: 'Name', text: typed['name'] },
      { name: 'Kind', text: kind.name },
      ...fieldsOfKind(kind)
        .map((field) => ({ name: field.label, text: wordsOfField(field, typed[field.name] ?? '') }))
        .filter(({ text }) => text !== ''),
      ...(holder === null ? [] : [{ name: 'Account holder, as the bank says', text: holder }]),
      ...(isDefault ? [{ name: 'Default of its currency', text: 'Yes: payout schedules pay to it' }] : []),
    ]
    const data = {
      heading: 'Add this destination?',
      path: `${home}${path}`,
      back: { link: folder, words: 'All destinations' },
      facts,
      hidden: { ...typed, kind: kindKey(kind), is_default: isDefault ? '1' : '', form_key: key },
      notes: ['It is reviewed first. Money can be sent to it once it is approved.'],
      button: 'Add it',
    }
    show(ctx, stepOf('dashboard/destination-confirm', data.heading, { ...common, ...data, problem }, status))
  }

  function showRefused(ctx: Context, tried: Tried, refused: Refused): void {
    if (refused.status === 401 || refused.code === 'FORBIDDEN') return showUnread(site, ctx, refused)
    showForm(ctx, tried, wordDestination(refused, fieldsOfKind(tried.kind)))
  }

  /** The name of the account's holder, as the bank has it; null where no bank tells it. */
  async function resolve(ctx: Context, { kind, typed }: Tried): Promise<Answer<string | null>> {
    if (!isResolved(kind)) return { ok: true, body: null }
    const { bank_code, account_number } = typed
    const asked = { currency: kind.currency, bank_code, account_number }
    const answer = await sessions.call<{ account_name: string }>(ctx, 'POST', '/v1/payouts/destinations/resolve', asked)
    return answer.ok ? { ok: true, body: answer.body.account_name } : answer
  }

  /** Asks whether the destination is meant. */
  async function ask(ctx: Context, tried: Tried): Promise<void> {
    const holder = await resolve(ctx, tried)
    if (!holder.ok) return showRefused(ctx, tried, holder.refused)
    const key = newQuestionKey(await now())
    showQuestion(ctx, tried, { key, holder: holder.body, problem: null, status: 200 })
  }

  async function add(ctx: Context, tried: Tried, key: string): Promise<void> {
    const { typed, isDefault } = tried
    const { type, currency } = tried.kind
    const given = Object.entries(typed).filter(([name, value]) => name === 'name' || value !== '')
    const body = { ...Object.fromEntries(given), type, currency, ...(isDefault && { is_default: true }) }
    const added = await sessions.call<ShownDestination>(ctx, 'POST', '/v1/payouts/destinations', body, { key })
    if (added.ok) return goTo(ctx, `${folder}/${added.body.id}?done=added`)
    const { status } = added.refused
    // The limit says nothing about an earlier press: the form is given back with its key.
    if (status === 429) return site.showRefused(ctx, added.refused)
    if (status < 500) return showRefused(ctx, tried, added.refused)
    // The destination may have been added. With the same key a further press of the button is the same destination.
    showQuestion(ctx, tried, { key, holder: null, problem: unsure, status })
  }

  read(path, async (ctx) => {
    const refused = refusalOf(ctx)
    if (refused) return showUnread(site, ctx, refused)
    const kind = kindOf(textIn(ctx, 'kind'))
    if (kind) return showForm(ctx, { kind, typed: {}, isDefault: false })
    const data = { path: `${home}${path}`, folder, kinds: kindOptions }
    show(ctx, pageOf('dashboard/destination-kind', 'Add a destination', { ...common, ...data }))
  })

  submit(path, async (ctx, form) => {
    const refused = refusalOf(ctx)
    if (refused) return showUnread(site, ctx, refused)
    const kind = kindOf(form.get('kind') ?? '')
    if (!kind) return goTo(ctx, `${home}${path}`)
    const tried = { kind, typed: typedIn(form, fieldsOfKind(kind)), isDefault: form.get('is_default') === '1' }
    if (form.get('step') === 'back') return showForm(ctx, tried)
    const key = questionKeyIn(form, await now())
    if (form.get('step') === 'send' && key !== null) return add(ctx, tried, key)
    if (tried.typed['name'] === '') return showForm(ctx, tried, nameless)
    await ask(ctx, tried)
  })
}

const nameless = { status: 422, errors: { name: 'Enter a name, by which you know the destination.' } }
