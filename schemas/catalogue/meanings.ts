// What the fields of products, product groups and uploads mean. The keys: schemas/common-meanings.ts.

/** What fields of this area mean. */
export const catalogueMeanings = {
  'Product.name': 'The name of the product, as buyers see it.',
  'Product.description': 'What the product is, as buyers see it; null without a text.',
  'Product.amount': 'The price, for `price_type` `fixed`; else null.',
  'Product.currency': 'The currency of the price.',
  'Product.recurring': 'How the product is billed again; null for a product that is sold once.',
  'Query.recurring': 'Only products that are billed again, or only others.',
  images: 'The pictures of the product, in order.',
  'images.url': 'The address of the picture.',
  category: 'The category of the product; null without one.',
  'ProductGroup.name': 'The name of the group.',
  'ProductGroup.description': 'What the group is; null without a text.',
  'ProductGroup.products': 'The ids of the products in the group, in order.',
  'CreateUpload.file': 'The file: a PNG, JPEG or WebP image or a PDF, of at most 10 MB.',
  content_type: 'The type of the file, by its content.',
  sha256: 'The SHA-256 of the file, in hex.',
  categories: 'The categories.',
  'categories.value': 'The value to send as `category`.',
  label: 'The name to show.',
  sections: 'The categories in the groups in which to show them.',
} as const
