import type { Context } from 'koa'
import type { FormResult } from '../form-result.ts'
import { methodName } from '../names.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { isUnread, keyIn, newFormKey, readAllowed, refusedForm } from './board-form.ts'
import { idIn, showUnread } from './dashboard-lists.ts'
import { editsOf, openedWith } from '../opened-form.ts'
import { notSaved } from './edit-form.ts'
import { type MetadataForm, metadataForm, metadataIn } from './metadata-form.ts'
import {
  type Settings,
  settingCodes,
  settingsBody,
  settingsForm,
  settingsIn,
  settingsOf,
  settingWords,
} from './payment-link-settings.ts'
import { type ShownLink, soldBy } from './payment-link-words.ts'
import { isolated } from '../isolated.ts'

type Shown = Partial<FormResult> & { typed: Settings; metadata: MetadataForm }

/** The names of payment methods; without any they are all. */
const methodNames = (text: string): string => text && text.split(',').map(methodName).join(', ')

/** `/dashboard/payment-links/{id}/edit`: it saves what a person has changed and nothing else. */
export function addPaymentLinkForm(site: Site, folder: string): void {
  const { home, sessions, read, submitFile, show } = site
  const at = folder.slice(home.length)
  const path = `${at}/:id/edit`
  const pageOfId = (ctx: Context) => `${folder}/${idIn(ctx)}`

  const readToChange = (ctx: Context) =>
    readAllowed<ShownLink>(site, ctx, `/v1/payment-links/${idIn(ctx)}`, 'payments:write')

  function showForm(ctx: Context, link: ShownLink, { typed, ...shown }: Shown): void {
    const data = {
      isSignedIn: true,
      at,
      path: pageOfId(ctx),
      heading: link.name,
      sells: soldBy(link),
      opened: openedWith(settingsOf(link)),
      formKey: newFormKey(),
      ...settingsForm(typed),
      ...shown,
    }
    show(ctx, pageOf('dashboard/payment-link-edit', `Change ${isolated(link.name)}`, data, shown.status ?? 200))
  }

  read(path, async (ctx) => {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const link = answer.body
    showForm(ctx, link, { typed: settingsOf(link), metadata: metadataForm(link.metadata) })
  })

  submitFile(path, 0, async (ctx, { fields: form }) => {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const link = answer.body
    const { typed, changed, errors } = editsOf(form, settingsIn(form), settingsOf(link), { methods: methodNames })
    const metadata = metadataIn(form, link.metadata)
    const marked = { ...errors, ...metadata.errors }
    const shown = { typed, metadata: metadata.form }
    if (Object.keys(marked).length > 0)
      return showForm(ctx, link, { ...shown, ...notSaved({ errors: marked, problem: null, status: 409 }) })
    const isSent = Object.keys(metadata.sent).length > 0
    const body = { ...settingsBody(typed, changed, link), ...(isSent && { metadata: metadata.sent }) }
    if (Object.keys(body).length === 0) return goTo(ctx, pageOfId(ctx))
    const apiPath = `/v1/payment-links/${idIn(ctx)}`
    const saved = await sessions.call<ShownLink>(ctx, 'PATCH', apiPath, body, keyIn(form))
    if (saved.ok) return goTo(ctx, `${pageOfId(ctx)}?done=saved`)
    if (isUnread(saved.refused)) return showUnread(site, ctx, saved.refused)
    const words = { ...metadata.words, ...settingWords }
    showForm(ctx, link, { ...shown, ...notSaved(refusedForm(saved.refused, words, settingCodes)) })
  })
}
