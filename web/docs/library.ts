import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { posix } from 'node:path/posix'
import { type Heading, parse, type Parsed, render, type Section, summaryOf } from './markdown.ts'
import { menuOf, type MenuGroup, type Part, parts } from './menu.ts'
import { type Picture, readPictures } from './pictures.ts'

export type DocPage = {
  path: string
  title: string
  summary: string
  /** The file of its Markdown, from the root of the repository. */
  file: string
  headings: Heading[]
  sections: Section[]
  html: () => string
}

export type Library = {
  /** The pages by their paths, those of the menu first, in its order. */
  pages: Map<string, DocPage>
  menu: MenuGroup[]
  /** What is served as it is: the text of each file by its path. */
  files: Map<string, string>
  /** The pictures, by their files. */
  pictures: Map<string, Picture>
}

/** A page before it is known where its links lead: several pages may be parts of one file. */
type Draft = { path: string; title: string; summary: string; file: string; parsed: Parsed; isPart: boolean }

const root = join(import.meta.dirname, '../..')
const changes = 'CHANGELOG.md'

/** Where a Markdown file is read on the site: `docs/guides/refunds.md` at `/docs/guides/refunds`. */
const pathOf = (file: string): string =>
  file === changes ? '/docs/changes' : `/${file.replace(/\.md$/, '').replace(/\/README$/, '')}`

/** Where the file itself is served. */
export const rawPathOf = (file: string): string => (file === changes ? '/docs/changes.md' : `/${file}`)

/** Reads the documentation. The files are read one after another, so that calls are answered between. */
export async function readLibrary(): Promise<Library> {
  const names = await readdir(join(root, 'docs'), { recursive: true })
  const found = names.filter((name) => /\.(md|json)$/.test(name)).map((name) => `docs/${name}`)
  const files = new Map<string, string>()
  const drafts: Draft[] = []
  for (const file of [...found.toSorted(), changes]) {
    const text = await readFile(join(root, file), 'utf8')
    files.set(rawPathOf(file), text)
    if (file.endsWith('.md')) drafts.push(...draftsOf(file, text))
  }
  const pictures = await readPictures(root)
  const menu = menuOf(drafts.map(({ path }) => path))
  const order = menu.flatMap(({ paths }) => paths)
  const place = ({ path }: Draft) => (order.includes(path) ? order.indexOf(path) : order.length)
  const around = { drafts, files, pictures }
  const pages = drafts.toSorted((one, other) => place(one) - place(other)).map((draft) => pageOf(draft, around))
  return { pages: new Map(pages.map((page) => [page.path, page])), menu, files, pictures }
}

/** The pages of a file. A file of which parts are pages of their own has one more for the rest. */
function draftsOf(file: string, text: string): Draft[] {
  const own = parts.filter((part) => part.file === file)
  const [intro = '', ...sections] = text.split(/^(?=## )/m)
  const isIn = ({ sections: named }: Part, section: string) => named.some((name) => section.startsWith(`## ${name}\n`))
  const rest = sections.filter((section) => !own.some((part) => isIn(part, section)))
  const whole = parse(intro + rest.join(''))
  const title = whole.headings[0]?.text ?? file
  return [
    { path: pathOf(file), title, summary: summaryOf(whole), file, parsed: whole, isPart: false },
    ...own.map((part) => {
      const body = sections.filter((section) => isIn(part, section)).map((section) => section.replace(/^.*\n/, ''))
      const parsed = parse(`# ${part.title}\n${body.join('').replaceAll(/^##(#+) /gm, '#$1 ')}`)
      return { path: part.path, title: part.title, summary: part.summary, file, parsed, isPart: true }
    }),
  ]
}

type Around = Pick<Library, 'files' | 'pictures'> & { drafts: Draft[] }

function pageOf(draft: Draft, { drafts, files, pictures }: Around): DocPage {
  const { path, title, summary, file, parsed } = draft
  const { headings, sections } = parsed
  let html: string | null = null
  const hrefOf = (href: string) => siteAddress(href, draft, drafts, files)
  const pictureOf = (src: string) => pictures.get(posix.join(dirname(file), src)) ?? null
  return {
    path,
    title,
    summary,
    file,
    headings,
    sections,
    html: () => (html ??= render(parsed, { hrefOf, pictureOf })),
  }
}

/** Where a link of a Markdown file leads on the site. A link to a file that the site does not have stays as it is. */
function siteAddress(href: string, from: Draft, drafts: Draft[], files: Map<string, string>): string {
  if (/^([a-z]+:|\/)/.test(href)) return href
  const [name = '', anchor = ''] = href.split('#')
  const file = name === '' ? from.file : posix.join(dirname(from.file), name)
  if (file === 'README.md') return '/docs'
  const same = drafts.filter((draft) => draft.file === file)
  const draft = same.find((one) => anchorIn(one, anchor) !== null) ?? same.find(({ isPart }) => !isPart)
  if (!draft) return files.has(`/${file}`) ? `/${file}` : href
  const fragment = anchor === '' ? '' : (anchorIn(draft, anchor) ?? `#${anchor}`)
  return draft === from && fragment !== '' ? fragment : draft.path + fragment
}

/** The fragment of an anchor on a page, empty for the page itself; null if the page does not have it. */
function anchorIn({ path, parsed, isPart }: Draft, anchor: string): string | null {
  if (anchor === '') return isPart ? null : ''
  const heading = parsed.headings.find((one) => one.anchor === anchor)
  if (heading) return heading.level === 1 ? '' : `#${anchor}`
  const isWhole = parts.some(
    (part) => part.path === path && part.sections.some((name) => name.toLowerCase().replaceAll(' ', '-') === anchor),
  )
  return isWhole ? '' : null
}
