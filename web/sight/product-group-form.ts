import type { Context } from 'koa'
import type { Static } from 'typebox'
import { groupSizeMax } from '../../domain/catalogue/product.ts'
import type { ProductGroup } from '../../schemas/catalogue/product-group.ts'
import type { Refused } from '../api.ts'
import type { FormResult } from '../form-result.ts'
import { typedText } from '../form.ts'
import { goTo, pageOf, type Site } from '../site.ts'
import {
  type FieldWords,
  forbidden,
  isUnread,
  keyIn,
  mayDo,
  newFormKey,
  readAllowed,
  refusedForm,
} from './board-form.ts'
import { idIn, showUnread } from './dashboard-lists.ts'
import { editsOf, openedWith, withPlainBreaks } from '../opened-form.ts'
import { keyAfter, notSaved, sameKey } from './edit-form.ts'
import { type MetadataForm, metadataForm, metadataIn } from './metadata-form.ts'
import { readProductChoices } from './product-choices.ts'
import { idsIn } from './product-fields.ts'

export type ShownGroup = Static<typeof ProductGroup>

/** A group as texts; `products` are ids in order, with commas. */
type Typed = { name: string; description: string; products: string }
const noGroup: Typed = { name: '', description: '', products: '' }

/** What the form shows; `rows` are its inputs for products in the order of the page, where some may be empty. */
type Shown = Partial<FormResult> & { typed: Typed; rows: string[]; metadata: MetadataForm; formKey?: string }

/** There are always some empty inputs for further products. */
const rowsSpare = 3
const rowsLeast = 5

const inputOf = (row: number): string => `product_${row}`
const rowsIn = (form: URLSearchParams): string[] =>
  Array.from({ length: groupSizeMax }, (_, row) => typedText(form, inputOf(row)))

const typedIn = (form: URLSearchParams): Typed => ({
  name: typedText(form, 'name'),
  description: withPlainBreaks(typedText(form, 'description')),
  products: rowsIn(form)
    .filter((id) => id !== '')
    .join(','),
})

const typedOf = ({ name, description, products }: ShownGroup): Typed => ({
  name,
  description: description ?? '',
  products: products.join(','),
})

const bodyOf = (typed: Typed, names: readonly (keyof Typed)[]) => ({
  ...(names.includes('name') && { name: typed.name }),
  ...(names.includes('description') && { description: typed.description || null }),
  ...(names.includes('products') && { products: idsIn(typed.products) }),
})

/** `/dashboard/product-groups/new`, and `/{id}/edit`, which saves what a person has changed and nothing else. */
export function addProductGroupForms(site: Site, folder: string): void {
  const { home, sessions, read, submitFile } = site
  const at = folder.slice(home.length)

  read(`${at}/new`, async (ctx) => {
    if (!mayDo(site, ctx, 'products:write')) return showUnread(site, ctx, forbidden)
    await showForm(site, ctx, folder, null, { typed: noGroup, rows: [], metadata: metadataForm({}) })
  })

  submitFile(`${at}/new`, 0, async (ctx, { fields: form }) => {
    const metadata = metadataIn(form, {})
    const typed = typedIn(form)
    const shown = { typed, rows: rowsIn(form), metadata: metadata.form }
    const { errors } = metadata
    const unfit = { ...notSaved({ errors, problem: null, status: 422 }), formKey: sameKey(form) }
    if (Object.keys(errors).length > 0) return showForm(site, ctx, folder, null, { ...shown, ...unfit })
    const body = { name: typed.name, ...bodyOf(typed, ['description', 'products']), metadata: metadata.sent }
    const made = await sessions.call<ShownGroup>(ctx, 'POST', '/v1/product-groups', body, keyIn(form))
    if (made.ok) return goTo(ctx, `${folder}/${made.body.product_group_id}?done=created`)
    if (isUnread(made.refused)) return showUnread(site, ctx, made.refused)
    const result = resultOf(made.refused, shown.rows, metadata.words)
    await showForm(site, ctx, folder, null, { ...shown, ...result, formKey: keyAfter(form, result.status) })
  })

  const readToChange = (ctx: Context) =>
    readAllowed<ShownGroup>(site, ctx, `/v1/product-groups/${idIn(ctx)}`, 'products:write')

  read(`${at}/:id/edit`, async (ctx) => {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const group = answer.body
    const metadata = metadataForm(group.metadata)
    await showForm(site, ctx, folder, group, { typed: typedOf(group), rows: group.products, metadata })
  })

  submitFile(`${at}/:id/edit`, 0, async (ctx, { fields: form }) => {
    const answer = await readToChange(ctx)
    if (!answer.ok) return showUnread(site, ctx, answer.refused)
    const group = answer.body
    const { typed, changed, errors } = editsOf(form, typedIn(form), typedOf(group))
    const metadata = metadataIn(form, group.metadata)
    // Where this person has changed the products, they keep their places in the form.
    const rows = changed.includes('products') ? rowsIn(form) : idsIn(typed.products)
    const shown = { typed, rows, metadata: metadata.form }
    const { products, ...others } = errors
    const marked = { ...others, ...(products && { [inputOf(0)]: productsChanged }), ...metadata.errors }
    if (Object.keys(marked).length > 0) {
      const result = notSaved({ errors: marked, problem: null, status: 409 })
      return showForm(site, ctx, folder, group, { ...shown, ...result })
    }
    const isSent = Object.keys(metadata.sent).length > 0
    const body = { ...bodyOf(typed, changed), ...(isSent && { metadata: metadata.sent }) }
    const pageOfId = `${folder}/${idIn(ctx)}`
    if (Object.keys(body).length === 0) return goTo(ctx, pageOfId)
    const path = `/v1/product-groups/${idIn(ctx)}`
    const saved = await sessions.call<ShownGroup>(ctx, 'PATCH', path, body, keyIn(form))
    if (saved.ok) return goTo(ctx, `${pageOfId}?done=saved`)
    if (isUnread(saved.refused)) return showUnread(site, ctx, saved.refused)
    await showForm(site, ctx, folder, group, { ...shown, ...resultOf(saved.refused, rows, metadata.words) })
  })
}

async function showForm(
  site: Site,
  ctx: Context,
  folder: string,
  group: ShownGroup | null,
  shown: Shown,
): Promise<void> {
  const chosen = shown.rows.filter((id) => id !== '')
  const offered = await readProductChoices(site, ctx, chosen)
  if (!offered.ok) return showUnread(site, ctx, offered.refused)
  const last = shown.rows.findLastIndex((id) => id !== '') + 1
  const count = Math.min(groupSizeMax, Math.max(rowsLeast, last + rowsSpare))
  const data = {
    isSignedIn: true,
    at: folder.slice(site.home.length),
    folder,
    path: group && `${folder}/${group.product_group_id}`,
    heading: group?.name ?? null,
    opened: openedWith(group ? typedOf(group) : noGroup),
    formKey: newFormKey(),
    choices: [{ code: '', name: 'None' }, ...offered.body.choices],
    isCut: offered.body.isCut,
    ...shown,
    rows: Array.from({ length: count }, (_, row) => ({ name: inputOf(row), value: shown.rows[row] ?? '' })),
  }
  const title = group ? 'Change a product group' : 'New product group'
  site.show(ctx, pageOf('dashboard/product-group-form', title, data, shown.status))
}

const productsChanged =
  'Somebody else has changed the products meanwhile. Save again to replace them with those that you see here.'

/** Why the API has refused the form. It counts products without the empty inputs. */
function resultOf(refused: Refused, rows: string[], ofMetadata: FieldWords): FormResult {
  const filled = rows.flatMap((id, row) => (id === '' ? [] : [row]))
  const fits = 'Choose an active product, once: of the same currency as the first, and also sold once or billed again.'
  const words: FieldWords = {
    ...ofMetadata,
    ...Object.fromEntries(filled.map((row, index) => [`products.${index}`, [inputOf(row), fits] as const])),
    name: 'Enter a name: one line of at most 255 characters.',
    description: 'Enter at most 5,000 characters.',
    products: [inputOf(0), 'Choose at least one product.'],
  }
  const codes = { CONFLICT: 'This form was sent before with other values. Look at your groups before you go on.' }
  return notSaved(refusedForm(refused, words, codes))
}
