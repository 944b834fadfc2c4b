import Type from 'typebox'
import {
  productCategories,
  productCategorySections,
  productCategoryValues,
} from '../../domain/catalogue/product-category.ts'
import { operation } from '../http/operation.ts'

const value = Type.Enum([...productCategoryValues])

const ProductCategories = Type.Object(
  {
    categories: Type.Array(Type.Object({ value, label: Type.String() })),
    sections: Type.Array(Type.Object({ label: Type.String(), categories: Type.Array(value) })),
  },
  { $id: 'ProductCategories' },
)

export const listProductCategories = operation({
  method: 'get',
  path: '/v1/reference/product-categories',
  summary: 'List the product categories, and the sections to show them in',
  tag: 'Reference',
  auth: ['apiKey'],
  scope: null,
  returns: [200, ProductCategories],
  refuses: [],

  async handle() {
    return { categories: [...productCategories], sections: [...productCategorySections] }
  },
})
