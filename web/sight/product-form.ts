import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import type { Static } from 'typebox'
import { uploadBytesMax } from '../../domain/catalogue/upload.ts'
import { currencyCodes } from '../../domain/currency.ts'
import type { Upload } from '../../schemas/catalogue/upload.ts'
import type { Answer, Refused, SentFile } from '../api.ts'
import type { FileForm } from '../file-form.ts'
import type { FormResult, InputErrors } from '../form-result.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import { refusedUpload, uploadsFullWords } from '../uploads-full.ts'
import { forbidden, isUnread, keyIn, mayDo, newFormKey, readAllowed, refusedForm } from './board-form.ts'
import { idIn, showUnread } from './dashboard-lists.ts'
import { editsOf, openedWith } from '../opened-form.ts'
import { keyAfter, notSaved, sameKey } from './edit-form.ts'
import { type MetadataForm, metadataForm, metadataIn } from './metadata-form.ts'
import {
  categoryChoices,
  categoryName,
  type Changeable,
  changeableBody,
  changeableIn,
  changeableOf,
  type Fixed,
  fixedIn,
  idsIn,
  newBody,
  noChangeable,
  noFixed,
  productWordsOfErrors,
  rhythmErrors,
} from './product-fields.ts'
import { priceOf, type ShownProduct } from './product-words.ts'

type Shown = Partial<FormResult> & { typed: Changeable; fixed: Fixed; metadata: MetadataForm; formKey?: string }

const at = '/products'
const folderOf = ({ home }: Site): string => home + at

/** `/dashboard/products/new`. The key of the form makes one product of it. */
export function addProductCreation(site: Site): void {
  const { sessions, read, submitFile } = site
  const folder = folderOf(site)

  read(`${at}/new`, (ctx) => {
    if (!mayDo(site, ctx, 'products:write')) return showUnread(site, ctx, forbidden)
    showForm(site, ctx, null, { typed: noChangeable, fixed: noFixed, metadata: metadataForm({}) })
  })

  submitFile(`${at}/new`, uploadBytesMax, async (ctx, { fields: form, file }) => {
    if (site.personOf(ctx) && !mayDo(site, ctx, 'products:write')) return showUnread(site, ctx, forbidden)
    const metadata = metadataIn(form, {})
    const fixed = fixedIn(form)
    const sent = await addImage(site, ctx, changeableIn(form, noChangeable, fixed.currency), { form, file })
    if (!sent.ok) return showUnread(site, ctx, sent.refused)
    const { typed, errors: ofFile } = sent.body
    const shown = { typed, fixed, metadata: metadata.form }
    const errors = { ...rhythmErrors(fixed), ...ofFile, ...metadata.errors }
    if (Object.keys(errors).length > 0)
      return showForm(site, ctx, null, {
        ...shown,
        ...notSaved({ errors, problem: null, status: 422 }),
        formKey: sameKey(form),
      })
    const body = { ...newBody(typed, fixed), metadata: metadata.sent }
    const made = await sessions.call<ShownProduct>(ctx, 'POST', '/v1/products', body, keyIn(form))
    if (made.ok) return goTo(ctx, `${folder}/${made.body.product_id}?done=created`)
    if (isUnread(made.refused)) return showUnread(site, ctx, made.refused)
    const words = { ...metadata.words, ...productWordsOfErrors }
    const result = notSaved(refusedForm(made.refused, words, codes))
    showForm(site, ctx, null, { ...shown, ...result, formKey: keyAfter(form, result.status) })
  })
}

/** `/dashboard/products/{id}/edit`: it saves what a person has changed and nothing else. */
export function addProductForm(site: Site): void {
  const { sessions, read, submitFile } = site
  const folder = folderOf(site)

  const readToChange = (ctx: Context) =>
    readAllowed<ShownProduct>(site, ctx, `/v1/products/${idIn(ctx)}`, 'products:write')

  read(`${at}/:id/edit`, async (ctx) => {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const product = answer.body
    const metadata = metadataForm(product.metadata)
    showForm(site, ctx, product, { typed: changeableOf(product), fixed: fixedOf(product), metadata })
  })

  submitFile(`${at}/:id/edit`, uploadBytesMax, async (ctx, { fields: form, file }) => {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const product = answer.body
    const current = changeableOf(product)
    const sent = await addImage(site, ctx, changeableIn(form, current, product.currency), { form, file })
    if (!sent.ok) return showUnread(site, ctx, sent.refused)
    const { typed, changed, errors } = editsOf(form, sent.body.typed, current, { category: categoryName })
    const metadata = metadataIn(form, product.metadata)
    const shown = { typed, fixed: fixedOf(product), metadata: metadata.form }
    const { images, ...others } = errors
    const marked = { ...others, ...(images && { file: imagesChanged }), ...sent.body.errors, ...metadata.errors }
    if (Object.keys(marked).length > 0)
      return showForm(site, ctx, product, { ...shown, ...notSaved({ errors: marked, problem: null, status: 409 }) })
    const isSent = Object.keys(metadata.sent).length > 0
    const body = { ...changeableBody(typed, changed), ...(isSent && { metadata: metadata.sent }) }
    const pageOfId = `${folder}/${idIn(ctx)}`
    if (Object.keys(body).length === 0) return goTo(ctx, pageOfId)
    const saved = await sessions.call<ShownProduct>(ctx, 'PATCH', `/v1/products/${idIn(ctx)}`, body, keyIn(form))
    if (saved.ok) return goTo(ctx, `${pageOfId}?done=saved`)
    if (isUnread(saved.refused)) return showUnread(site, ctx, saved.refused)
    const words = { ...metadata.words, ...productWordsOfErrors }
    showForm(site, ctx, product, { ...shown, ...notSaved(refusedForm(saved.refused, words, codes)) })
  })
}

function showForm(site: Site, ctx: Context, product: ShownProduct | null, shown: Shown): void {
  const folder = folderOf(site)
  const data = {
    isSignedIn: true,
    at,
    folder,
    path: product && `${folder}/${product.product_id}`,
    heading: product?.name ?? null,
    price: product && priceOf(product),
    opened: openedWith(product ? changeableOf(product) : noChangeable),
    formKey: newFormKey(),
    images: imagesIn(shown.typed, product),
    currencies: currencyCodes.map((code) => ({ code, name: code })),
    categories: [{ code: '', name: 'None' }, ...categoryChoices],
    ...shown,
  }
  site.show(ctx, pageOf('dashboard/product-form', product ? 'Change a product' : 'New product', data, shown.status))
}

const codes = {
  CONFLICT: 'This form was sent before with other values. Look at your products before you go on.',
  CURRENCY_NOT_SUPPORTED: ['currency', 'Choose one of these.'],
} as const

const imagesChanged = 'Somebody else has changed the images meanwhile. Save again to keep those that are marked here.'

const fixedOf = ({ price_type, currency }: ShownProduct): Fixed => ({ ...noFixed, price_type, currency })

/**
 * The images of the form: those that are chosen, then the product's others. One that no product shows yet has no
 * address, as nobody can see it.
 */
function imagesIn({ images }: Changeable, product: ShownProduct | null) {
  const chosen = idsIn(images)
  const known = product?.images.map(({ upload_id: id }) => id) ?? []
  return [...chosen, ...known.filter((id) => !chosen.includes(id))].map((id) => ({
    id,
    isChosen: chosen.includes(id),
    link: known.includes(id) ? `/uploads/${id}` : null,
  }))
}

type WithImage = { typed: Changeable; errors: InputErrors }

/** Uploads the file of a form as a further image. What is wrong with it is told at its input. */
async function addImage(
  { sessions }: Site,
  ctx: Context,
  typed: Changeable,
  { form, file }: { form: URLSearchParams; file: FileForm['file'] },
): Promise<Answer<WithImage>> {
  if (file === null) return { ok: true, body: { typed, errors: {} } }
  const unfit: Answer<WithImage> = { ok: true, body: { typed, errors: { file: fileWords } } }
  if (file === 'too_large') return unfit
  const { key } = keyIn(form)
  // The same file of the same form is one upload, so that a second press makes no other body of the product.
  const more = { file, ...(key !== undefined && { key: imageKey(key, file) }) }
  const sent = await sessions.call<Static<typeof Upload>>(ctx, 'POST', '/v1/utilities/uploads', undefined, more)
  if (!sent.ok) return isUnread(sent.refused) ? sent : refusedFile(typed, refusedUpload(sent.refused))
  if (!sent.body.content_type.startsWith('image/')) return unfit
  const images = [...idsIn(typed.images), sent.body.upload_id].join(',')
  return { ok: true, body: { typed: { ...typed, images }, errors: {} } }
}

/** The key of an image's upload. Another image has another one, so the form keeps its own after a refusal of a file. */
const imageKey = (formKey: string, { name, bytes }: SentFile): string =>
  createHash('sha256').update(`${formKey}\0${name}\0`).update(bytes).digest('base64url')

const refusedFile = (typed: Changeable, refused: Refused): Answer<WithImage> => {
  const { status } = refused
  const isOurs = status === 429 || status >= 500
  const words = uploadsFullWords(refused) ?? (isOurs ? 'The file was not stored. Try again.' : fileWords)
  return { ok: true, body: { typed, errors: { file: words } } }
}

const fileWords = 'Choose a PNG, JPEG or WebP image of at most 10 MB.'
