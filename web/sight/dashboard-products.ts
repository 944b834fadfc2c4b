import type { Context } from 'koa'
import type { Answer } from '../api.ts'
import type { Site } from '../site.ts'
import { money, timeOf } from '../words.ts'
import { addArchiving } from './archive-form.ts'
import { mayDo, newFormKey, noticeIn } from './board-form.ts'
import { type Fact, type Listed, queryOf } from './dashboard-lists.ts'
import { addResourceFolder, also } from './dashboard-resources.ts'
import { searchIn, wordIn } from './list-filter.ts'
import { categoryName } from './product-fields.ts'
import { addProductCreation, addProductForm } from './product-form.ts'
import { priceOf, type ShownProduct } from './product-words.ts'

export const productsLink = { path: '/products', words: 'Products' }

/** How a product or group can be found by its state, and the API's filter for it. */
export const catalogueStates = { active: 'On sale', archived: 'Archived' }
export const activeFilters: Record<string, string> = { active: 'true', archived: 'false' }

const rhythms = { recurring: 'Billed again', once: 'Sold once' }
const recurringFilters: Record<string, string> = { recurring: 'true', once: 'false' }

/** `/dashboard/products`: the products with a search; each with its images, its form, and archived after a question. */
export function addProductPages(site: Site): void {
  const { home, sessions } = site
  const folder = `${home}${productsLink.path}`

  function list(ctx: Context, filters: Record<string, string>): Promise<Answer<Listed<ShownProduct>>> {
    const { status = '', rhythm = '', search = '' } = filters
    const query = { active: activeFilters[status] ?? '', recurring: recurringFilters[rhythm] ?? '', search }
    return sessions.call(ctx, 'GET', `/v1/products?${queryOf(ctx, query)}`)
  }

  addProductCreation(site)
  addProductForm(site)
  addArchiving(site, { folder, collection: '/v1/products', one: 'product', effects })
  addResourceFolder<ShownProduct>(site, {
    link: productsLink,
    one: 'Product',
    collection: '/v1/products',
    templates: { list: 'dashboard/products', one: 'dashboard/product' },
    statuses: catalogueStates,
    hasTimeline: false,
    filtersIn: (ctx) => ({
      status: wordIn(ctx, 'status', Object.keys(catalogueStates)),
      rhythm: wordIn(ctx, 'rhythm', Object.keys(rhythms)),
      search: searchIn(ctx).slice(0, 255),
    }),
    besideList: { rhythms },
    list,
    idOf: (product) => product.product_id,
    itemOf: (product) => ({
      title: product.name,
      state: catalogueState(product),
      price: priceOf(product),
      category: product.category && categoryName(product.category),
      created: timeOf(product.created_at),
    }),
    factsOf: productFacts,
    more: (ctx, product) =>
      also({
        path: `${folder}/${product.product_id}`,
        newLink: `${home}/payment-links/new?product=${product.product_id}`,
        state: catalogueState(product),
        description: product.description,
        images: product.images.map(({ upload_id: id }) => `/uploads/${id}`),
        mayChange: mayDo(site, ctx, 'products:write'),
        mayLink: mayDo(site, ctx, 'payments:write') && product.active,
        formKey: newFormKey(),
        notice: noticeIn(ctx, catalogueNotices),
      }),
  })
}

/** How a product or a group stands. */
export const catalogueState = ({ active }: { active: boolean }) => ({
  words: active ? catalogueStates.active : catalogueStates.archived,
  isActive: active,
})

export const catalogueNotices = {
  created: 'Created. It can be sold now.',
  saved: 'Saved. The change is for new sales.',
  archived: 'Archived. Nobody can buy it any more.',
  restored: 'Restored. It can be sold again.',
}

const effects = [
  'Nobody can buy it any more: not by a new checkout, not by a payment link that sells it, and not in a group.',
  'Checkout sessions that buyers have open already can still be paid.',
  'Subscriptions that have begun go on, and are charged as before.',
  'You can restore it at any time.',
]

function productFacts(product: ShownProduct): Fact[] {
  const { currency, suggested_amount: suggested, recurring, category } = product
  return [
    ['Id', product.product_id],
    ['Price', priceOf(product)],
    ['Suggested to the buyer', suggested && money(suggested, currency)],
    ['Free trial', recurring && recurring.trial_days > 0 ? `${recurring.trial_days} days` : null],
    ['Category', category && categoryName(category)],
    ['Created', timeOf(product.created_at)],
    ['Changed', product.updated_at === product.created_at ? null : timeOf(product.updated_at)],
    ...Object.entries(product.metadata).map(([name, value]): Fact => [`metadata: ${name}`, value]),
  ]
}
