/** The sections of the product categories, each with its categories as `value: label`. */
const sections = {
  'Software and digital goods': {
    software: 'Software and apps',
    saas: 'Software as a service',
    digital_downloads: 'Digital downloads',
    games: 'Games and in-game items',
    web_hosting: 'Hosting and domains',
  },
  'Media and education': {
    ebooks: 'E-books and publishing',
    music_and_video: 'Music and video',
    news_and_newsletters: 'News and newsletters',
    online_courses: 'Online courses',
    tutoring: 'Schools and tutoring',
  },
  'Retail goods': {
    clothing: 'Clothing and accessories',
    electronics: 'Electronics',
    food_and_groceries: 'Food and groceries',
    health_and_beauty: 'Health and beauty',
    home_and_garden: 'Home and garden',
    general_merchandise: 'General merchandise',
  },
  Services: {
    consulting: 'Consulting and professional services',
    design_and_marketing: 'Design and marketing',
    repairs_and_maintenance: 'Repairs and maintenance',
    logistics: 'Transport and logistics',
  },
  'Events and travel': {
    events_and_tickets: 'Events and tickets',
    restaurants: 'Restaurants and catering',
    travel_and_accommodation: 'Travel and accommodation',
  },
  'Community and causes': {
    memberships: 'Memberships and communities',
    donations: 'Donations and fundraising',
    utilities_and_bills: 'Utilities and bills',
  },
} as const

type Sections = typeof sections
export type ProductCategory = { [S in keyof Sections]: keyof Sections[S] }[keyof Sections]

const isCategory = (value: string): value is ProductCategory =>
  Object.values(sections).some((section) => Object.hasOwn(section, value))

export const productCategories: readonly { value: ProductCategory; label: string }[] = Object.values(sections)
  .flatMap((section) => Object.entries(section))
  .flatMap(([value, label]) => (isCategory(value) ? [{ value, label }] : []))

export const productCategorySections: readonly { label: string; categories: ProductCategory[] }[] = Object.entries(
  sections,
).map(([label, section]) => ({ label, categories: Object.keys(section).filter(isCategory) }))

export const productCategoryValues = productCategories.map(({ value }) => value)
