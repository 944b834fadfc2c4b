import { LockMode } from '@mikro-orm/core'
import Type, { type Static } from 'typebox'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Product as ProductRow } from '../../db/catalogue/product.ts'
import { changeAttachments, type Upload } from '../../db/catalogue/upload.ts'
import { knownCurrency } from '../../domain/currency.ts'
import { newId } from '../../domain/id.ts'
import { mergeMetadata, validateMetadata } from '../../domain/metadata.ts'
import { productCategoryValues } from '../../domain/catalogue/product-category.ts'
import { imagesMax, keptAmounts, priceTypes } from '../../domain/catalogue/product.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import { isImage } from '../../domain/catalogue/upload.ts'
import {
  ChangedMetadata,
  id,
  idParameter,
  Metadata,
  nameOf,
  nullable,
  page,
  pageQuery,
  sentCurrency,
} from '../../schemas/common.ts'
import { presentAmounts, presentProduct, Product } from '../../schemas/catalogue/product.ts'
import { whereContaining } from '../http/filters.ts'
import { type Caller, operation, type ValidationContext } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import {
  amountsIn,
  validateChange,
  validateProduct,
  readRecurring,
  sentAmounts,
  SentRecurring,
} from './product-price.ts'
import { assertValid, repeatedIn } from '../http/validate.ts'

export const Name = nameOf(255)
export const Description = Type.Optional(nullable(Type.String({ maxLength: 5_000 })))

const settings = {
  description: Description,
  active: Type.Optional(Type.Boolean()),
  ...sentAmounts,
  recurring: Type.Optional(SentRecurring),
  images: Type.Optional(
    Type.Array(idParameter('upl'), { maxItems: imagesMax, description: 'Uploads, in the order to show them in.' }),
  ),
  category: Type.Optional(nullable(Type.Enum([...productCategoryValues]))),
}

const PriceTypeSent = Type.Enum([...priceTypes])
const CurrencySent = sentCurrency({ maxLength: 10 })

const CreateProduct = Type.Object(
  { name: Name, price_type: PriceTypeSent, currency: CurrencySent, ...settings, metadata: Type.Optional(Metadata) },
  { $id: 'CreateProduct' },
)

const ChangeProduct = Type.Object(
  {
    name: Type.Optional(Name),
    price_type: Type.Optional(PriceTypeSent),
    currency: Type.Optional(CurrencySent),
    ...settings,
    metadata: Type.Optional(ChangedMetadata),
  },
  { $id: 'ChangeProduct' },
)

export const createProduct = operation({
  method: 'post',
  path: '/v1/products',
  summary: 'Create a product',
  tag: 'Products',
  auth: ['apiKey'],
  scope: 'products:write',
  body: CreateProduct,
  validate: validateNew,
  returns: [201, Product],
  refuses: ['CURRENCY_NOT_SUPPORTED'],

  async handle({ body, caller, em, now, services }) {
    const product = em.create(ProductRow, newProduct(body, caller, now))
    await showImages(em, product, body.images ?? [], await services.clock.now())
    return presentProduct(product, services.config.publicUrl)
  },
})

/**
 * Reports repeated images with the other errors: now if the call is refused anyway, else with the database's errors.
 */
function validateNew(body: Record<string, unknown>, { hasErrors }: Pick<ValidationContext, 'hasErrors'>): FieldError[] {
  const errors = validateProduct(body)
  return hasErrors || errors.length > 0 ? [...errors, ...repeatedIn('images', body['images'])] : []
}

function newProduct(body: Static<typeof CreateProduct>, { accountId, environment }: Caller, now: number) {
  const { price_type: priceType } = body
  const currency = knownCurrency(body.currency)
  return {
    id: newId('prod', now),
    accountId,
    environment,
    name: body.name,
    description: null,
    category: null,
    imageIds: [],
    priceType,
    currency,
    metadata: mergeMetadata({}, body.metadata),
    createdAt: new Date(now),
    updatedAt: new Date(now),
    ...settingsIn(body),
    ...keptAmounts(priceType, currency, amountsIn(body)),
    ...readRecurring(body.recurring),
  }
}

/** The settings of the body, named as the row's properties. */
const settingsIn = ({ name, description, active, category }: Partial<Static<typeof ChangeProduct>>) => ({
  ...(name !== undefined && { name }),
  ...(description !== undefined && { description }),
  ...(active !== undefined && { active }),
  ...(category !== undefined && { category }),
})

/** Replaces the product's images. An upload counts as attached while any product shows it, also an archived one. */
async function showImages(em: EntityManager, product: ProductRow, imageIds: string[], at: number): Promise<void> {
  const attached = { before: product.imageIds, after: imageIds, visibility: 'public' } as const
  const uploads = await changeAttachments(em, product, attached, at)
  const unfit = imageIds.flatMap((imageId, index) => imageError(index, uploads.get(imageId)) ?? [])
  assertValid([...repeatedIn('images', imageIds), ...unfit])
  product.imageIds = imageIds
}

function imageError(index: number, upload: Upload | undefined): FieldError | null {
  const error = (message: string) => ({ field: `images.${index}`, message, type: 'value_error' })
  if (!upload) return error('must be one of your uploads')
  return isImage(upload.contentType) ? null : error('is not an image')
}

const listQuery = {
  ...pageQuery,
  active: Type.Optional(Type.Boolean()),
  search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name, in upper or lower case.' })),
}

export const listProducts = operation({
  method: 'get',
  path: '/v1/products',
  summary: 'List products, newest first',
  tag: 'Products',
  auth: ['apiKey'],
  scope: 'products:read',
  query: Type.Object({ ...listQuery, recurring: Type.Optional(Type.Boolean()) }),
  returns: [200, page(Product)],
  refuses: [],

  async handle({ query, caller: { accountId, environment }, em, services }) {
    const { active, recurring, search } = query
    const where = {
      accountId,
      environment,
      ...(active !== undefined && { active }),
      ...(recurring !== undefined && { recurringInterval: recurring ? { $ne: null } : null }),
      ...(search && { name: whereContaining(search) }),
    }
    const { rows, pagination } = await listPage({ em, services }, ProductRow, where, query)
    return { items: rows.map((row) => presentProduct(row, services.config.publicUrl)), pagination }
  },
})

const ProductId = Type.Object({ product_id: idParameter('prod') })
const missing = () => new Refusal('NOT_FOUND', 'no such product')

/** Locks the caller's own product. Another account's product is refused like one that does not exist. */
async function lockProduct(em: EntityManager, { accountId, environment }: Tenant, productId: string) {
  const where = { id: productId, accountId, environment }
  const product = await em.findOne(ProductRow, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!product) throw missing()
  return product
}

export const getProduct = operation({
  method: 'get',
  path: '/v1/products/{product_id}',
  summary: 'Read a product, also an archived one',
  tag: 'Products',
  auth: ['apiKey'],
  scope: 'products:read',
  params: ProductId,
  returns: [200, Product],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller: { accountId, environment }, em, services }) {
    const product = await em.findOne(ProductRow, { id: params.product_id, accountId, environment })
    if (!product) throw missing()
    return presentProduct(product, services.config.publicUrl)
  },
})

export const changeProduct = operation({
  method: 'patch',
  path: '/v1/products/{product_id}',
  summary: 'Change a product; a new price applies to new sessions, `images` is replaced as a whole',
  tag: 'Products',
  auth: ['apiKey'],
  scope: 'products:write',
  params: ProductId,
  body: ChangeProduct,
  validate: ({ images }, { hasErrors }) => (hasErrors ? repeatedIn('images', images) : []),
  returns: [200, Product],
  refuses: ['NOT_FOUND'],

  async handle({ params, body, caller, em, now, services }) {
    const product = await lockProduct(em, caller, params.product_id)
    const metadata = mergeMetadata(product.metadata, body.metadata)
    assertValid([...validateChange(product, body), ...validateMetadata(metadata)])
    const { priceType, currency } = product
    const amounts = keptAmounts(priceType, currency, amountsIn(body, presentAmounts(product)))
    Object.assign(product, settingsIn(body), amounts, { metadata, updatedAt: new Date(now) })
    if (body.images) await showImages(em, product, body.images, await services.clock.now())
    return presentProduct(product, services.config.publicUrl)
  },
})

export const archiveProduct = operation({
  method: 'delete',
  path: '/v1/products/{product_id}',
  summary: 'Archive a product: it can still be read, but not sold',
  tag: 'Products',
  auth: ['apiKey'],
  scope: 'products:write',
  params: ProductId,
  returns: [200, Type.Object({ product_id: id('prod'), deleted: Type.Literal(true) }, { $id: 'DeletedProduct' })],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, now }) {
    const product = await lockProduct(em, caller, params.product_id)
    if (product.active) Object.assign(product, { active: false, updatedAt: new Date(now) })
    return { product_id: product.id, deleted: true as const }
  },
})
