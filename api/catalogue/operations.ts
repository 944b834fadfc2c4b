import type { Operation } from '../http/operation.ts'
import * as product from './product.ts'
import * as category from './product-category.ts'
import * as group from './product-group.ts'
import * as upload from './upload.ts'

/** The operations of the area: products, groups, categories and uploads. */
export const catalogueOperations: readonly Operation[] = [
  product.createProduct,
  product.listProducts,
  product.getProduct,
  product.changeProduct,
  product.archiveProduct,
  group.createProductGroup,
  group.listProductGroups,
  group.getProductGroup,
  group.changeProductGroup,
  group.archiveProductGroup,
  upload.createUpload,
  upload.removeUpload,
  category.listProductCategories,
]
