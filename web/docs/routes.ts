import type Router from '@koa/router'
import type { Context } from 'koa'
import { once } from '../../domain/once.ts'
import { eventMeanings, type EventType } from '../../domain/webhook/event.ts'
import { exampleEvent } from '../../schemas/event-example.ts'
import type { Render } from '../render.ts'
import { catalogueEntries, codes, eventGroups, isEventType, spansOf } from './catalogue.ts'
import { highlight } from './highlight.ts'
import { type DocPage, type Library, rawPathOf, readLibrary } from './library.ts'
import type { Picture } from './pictures.ts'
import { createSearch, entriesOf, hitsMax, type Search } from './search.ts'

type Means = {
  render: Render
  /** The public address of the service. */
  publicUrl: string
}

/** What the pages are made from, read once. */
type Site = { library: Library; search: Search; menu: { words: string; links: DocPage[] }[] }

/** `/docs`: the repository's Markdown as pages, and as it is for programs, with a search that needs no script. */
export function addDocs(router: Router, { render, publicUrl }: Means): void {
  const read = once(readSite)

  async function show(ctx: Context, template: string, title: string, data: object, status = 200): Promise<void> {
    const { menu } = await read()
    const isPublic = status === 200 && template !== 'search'
    const more = { menu, at: ctx.path, summary: null, ...data }
    render(ctx, { template: `docs/${template}`, status, title: `${title} | steadypay docs`, data: more, isPublic })
  }

  router.get('/docs', (ctx) => show(ctx, 'overview', 'Documentation', {}))
  router.get('/docs/errors', (ctx) => show(ctx, 'errors', 'Errors', { codes }))
  router.get('/docs/events', (ctx) => show(ctx, 'events', 'Event types', { groups: eventGroups }))
  router.get('/docs/events/:type', (ctx, next) => {
    const type = ctx.params['type'] ?? ''
    if (!isEventType(type)) return missing(ctx, next)
    const code = { sample: sampleOf(type), trigger: triggerOf(type) }
    const data = { type, meaning: spansOf(eventMeanings[type]), ...code, at: '/docs/events' }
    return show(ctx, 'event', type, data)
  })
  router.get('/docs/search', async (ctx) => {
    const question = [ctx.query['q'] ?? ''].flat()[0]?.trim() ?? ''
    const { search } = await read()
    return show(ctx, 'search', 'Search', { question, hits: search(question), hitsMax })
  })
  router.get('/docs/{*path}', async (ctx, next) => {
    const { library } = await read()
    const file = library.files.get(ctx.path)
    if (file !== undefined) return sendFile(ctx, file)
    const picture = library.pictures.get(ctx.path.slice(1))
    if (picture) return sendPicture(ctx, picture)
    const page = library.pages.get(ctx.path)
    return page ? show(ctx, 'page', page.title, pageData(page, library)) : missing(ctx, next)
  })
  router.get('/llms.txt', async (ctx) => sendText(ctx, indexOf(await read(), publicUrl)))

  /** Programs get the API's error, people a page. */
  const missing = (ctx: Context, next: () => Promise<unknown>) =>
    ctx.accepts('html') ? show(ctx, 'missing', 'This page does not exist', {}, 404) : next()
}

async function readSite(): Promise<Site> {
  const library = await readLibrary()
  const pages = [...library.pages.values()]
  const search = await createSearch([...pages.flatMap(entriesOf), ...catalogueEntries])
  const linksOf = (paths: string[]) => paths.flatMap((path) => library.pages.get(path) ?? [])
  const menu = library.menu.map(({ words, paths }) => ({ words, links: linksOf(paths) }))
  return { library, search, menu }
}

/** What the template of a page needs: a page that the menu does not have leads to the list that it is in. */
function pageData(page: DocPage, { pages, menu }: Library) {
  const order = menu.flatMap(({ paths }) => paths)
  const place = order.indexOf(page.path)
  const at = (index: number) => pages.get(order[index] ?? '') ?? null
  const above = place === -1 ? (pages.get(page.path.replace(/\/[^/]+$/, '')) ?? null) : null
  const [head, rest] = page.html().split(/(?<=<\/h1>)/)
  return {
    head,
    rest,
    summary: page.summary,
    contents: page.headings.filter(({ level }) => level === 2),
    raw: rawPathOf(page.file),
    above,
    at: above?.path ?? page.path,
    before: place > 0 ? at(place - 1) : null,
    next: place === -1 ? null : at(place + 1),
  }
}

function sendFile(ctx: Context, text: string): void {
  if (ctx.path.endsWith('.json')) return sendText(ctx, text, 'application/json')
  return sendText(ctx, text, 'text/markdown')
}

function sendText(ctx: Context, text: string, type = 'text/plain'): void {
  ctx.set('Cache-Control', 'public, max-age=300')
  ctx.type = type
  ctx.body = text
}

/** The address with the version is of this content for ever; the one without it is that of the newest. */
function sendPicture(ctx: Context, { bytes, version }: Picture): void {
  const isVersioned = ctx.query['v'] === version
  ctx.set('Cache-Control', isVersioned ? 'public, max-age=31536000, immutable' : 'public, max-age=300')
  ctx.type = 'image/png'
  ctx.body = bytes
}

/** The list of all pages for programs that read them: each as Markdown, with one line. */
function indexOf({ library, menu }: Site, publicUrl: string): string {
  const line = ({ title, summary, file }: DocPage) =>
    `- [${title}](${publicUrl}${rawPathOf(file)})${summary && `: ${summary}`}`
  const inMenu = new Set(menu.flatMap(({ links }) => links))
  const rest = [...library.pages.values()].filter((page) => !inMenu.has(page))
  const groups = [...menu, { words: 'Optional', links: rest }]
  return [
    '# steadypay',
    '> Takes payments, keeps balances and pays out. Every call is in the OpenAPI document.',
    `- [OpenAPI document](${publicUrl}/openapi.json): every call, its fields and errors, and every webhook`,
    ...groups.map(({ words, links }) => `## ${words}\n\n${links.map(line).join('\n')}`),
  ].join('\n\n')
}

const sampleOf = (type: EventType): string | null => highlight(JSON.stringify(exampleEvent(type), null, 2), 'json')

const triggerOf = (type: EventType): string | null =>
  highlight(
    'curl $BASE_URL/v1/test-helpers/events/trigger -H "Authorization: Bearer $KEY" \\\n' +
      `  -H 'Content-Type: application/json' -d '{"type":"${type}"}'`,
    'sh',
  )
