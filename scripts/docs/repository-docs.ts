// The Astro integration of the documentation site. Before a build it writes the pages that Starlight reads. After it,
// it adds each page as Markdown, llms.txt and the preview of the theme editor, and fails on a broken internal link.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { root } from '../setup.mjs'
import { brokenAddresses } from './broken-addresses.ts'
import { docPages, homePage, type Language, sections, translatedPages } from './pages.ts'
import { listLanguages } from './reference/languages.ts'
import { convertPage, themeEditorMark, withFrontMatter } from './site-page.ts'

const content = join(root, 'site', 'src', 'content', 'docs')
const languageOptions = listLanguages().map(({ tag, name }) => `<option value="${tag}">${name}</option>`)
const themeEditor = readFileSync(join(root, 'site', 'components', 'theme-editor.html'), 'utf8').replace(
  'LANGUAGES',
  languageOptions.join(''),
)
const markdownAddress = (slug: string) => `/${slug === '' ? 'index' : slug}.md`

const addresses = new Map(docPages.map(({ source, slug }) => [source, slug === '' ? '/' : `/${slug}/`]))
for (const { page, language, source } of translatedPages)
  addresses.set(source, `/${language}${addresses.get(page.source)}`)

/** A translated page links every other page in its language. Pages without a translation are there in English. */
const convert = (source: string, language?: Language) =>
  convertPage({
    path: source,
    text: readFileSync(join(root, source), 'utf8'),
    findAddress(path) {
      const address = addresses.get(path) ?? addresses.get(`${path.replace(/\/$/, '')}/README.md`)
      const isTranslated =
        address === undefined || language === undefined || path.startsWith(`docs/${language}/`)
      return isTranslated ? address : `/${language}${address}`
    },
  })

const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** The texts of the two links on the first page. */
const actions = {
  en: ['Add it to your app', 'Read its promises'],
  de: ['In deine App einbauen', 'Die Zusicherungen lesen'],
} satisfies Record<Language | 'en', [string, string]>

function formatHome(tagline: string, language?: Language) {
  const prefix = language === undefined ? '' : `/${language}`
  const [quickStarts, security] = actions[language ?? 'en']
  return {
    template: 'splash',
    hero: {
      tagline,
      actions: [
        { text: quickStarts, link: `${prefix}/start/quick-starts/`, icon: 'right-arrow' },
        { text: security, link: `${prefix}/security/`, variant: 'minimal' },
      ],
    },
  }
}

/** Copies the images of a page beside it, so that Astro compresses them and writes their sizes. */
function importImages(body: string, files: ReadonlyMap<string, string>, slug: string): string {
  const images = [...files].filter(([address]) => address.endsWith('.png'))
  return images.reduce((text, [address, path]) => {
    const copy = join(content, 'images', posix.basename(address))
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(join(root, path), copy)
    const relative = posix.relative(posix.dirname(`/${slug}`), `/images/${posix.basename(address)}`)
    return text.replaceAll(`](${address})`, `](./${relative})`)
  }, body)
}

function writePage(source: string, slug: string, language?: Language): void {
  const { title, description, body, files } = convert(source, language)
  const isHome = slug === (language ?? homePage.slug)
  const fields = {
    title,
    description,
    ...(isHome && formatHome(description, language)),
    head: [{ tag: 'link', attrs: { rel: 'alternate', type: 'text/markdown', href: markdownAddress(slug) } }],
  }
  const shownBody = (isHome ? body.replace(description, '') : body).replace(themeEditorMark, themeEditor)
  const path = slug === language ? `${language}/index` : slug || 'index'
  const withImages = importImages(shownBody, files, path)
  write(join(content, `${path}.md`), withFrontMatter(fields, withImages))
}

const formatTranslatedSlug = (language: Language, slug: string) =>
  slug === '' ? language : `${language}/${slug}`

function writePages(): void {
  rmSync(content, { recursive: true, force: true })
  for (const { source, slug } of docPages) writePage(source, slug)
  for (const { page, language, source } of translatedPages)
    writePage(source, formatTranslatedSlug(language, page.slug), language)
}

/** Files that pages link and that are no pages: sources as text, and images. A folder becomes a list of its files. */
function writeFiles(output: string): void {
  const sources = [...docPages, ...translatedPages].map(({ source }) => source)
  const files = sources.flatMap((source) => [...convert(source).files])
  for (const [address, path] of files) {
    const target = join(output, address)
    mkdirSync(dirname(target), { recursive: true })
    if (statSync(join(root, path)).isDirectory())
      writeFileSync(target, `${readdirSync(join(root, path)).join('\n')}\n`)
    else copyFileSync(join(root, path), target)
  }
}

/** Writes each page as Markdown, and llms.txt with all of them. https://llmstxt.org */
function writeMarkdown(output: string): void {
  const index = sections.flatMap(({ label, pages }) => [
    '',
    `## ${label}`,
    '',
    ...pages.map(({ source, slug }) => {
      const { title, description } = convert(source)
      return `- [${title}](${markdownAddress(slug)})${description === '' ? '' : `: ${description}`}`
    }),
  ])
  const home = convert(homePage.source)
  write(join(output, 'llms.txt'), [`# ${home.title}`, '', `> ${home.description}`, ...index, ''].join('\n'))
  const writeOne = (source: string, slug: string, language?: Language) => {
    const { title, body } = convert(source, language)
    write(join(output, markdownAddress(slug)), `# ${title}\n\n${body}`)
  }
  for (const { source, slug } of docPages) writeOne(source, slug)
  for (const { page, language, source } of translatedPages)
    writeOne(source, formatTranslatedSlug(language, page.slug), language)
}

/** The picture of the first page is its largest element, so it does not load lazily. */
function loadPictureFirst(output: string): void {
  const page = join(output, 'index.html')
  writeFileSync(page, readFileSync(page, 'utf8').replace('loading="lazy"', 'fetchpriority="high"'))
}

/** Builds the part of the dialog's gallery that the theme editor shows in a frame. */
const buildThemePreview = (output: string) =>
  build({
    configFile: join(root, 'dialog-app', 'gallery', 'vite.config.ts'),
    logLevel: 'error',
    base: '/theme-preview/',
    build: {
      outDir: join(output, 'theme-preview'),
      rolldownOptions: { input: join(root, 'dialog-app', 'gallery', 'theme.html') },
    },
  })

export const repositoryDocs = () => ({
  name: 'latchkey-docs',
  hooks: {
    'astro:config:setup': writePages,
    'astro:build:done': async ({ dir }: { dir: URL }) => {
      const output = fileURLToPath(dir)
      writeFiles(output)
      writeMarkdown(output)
      loadPictureFirst(output)
      await buildThemePreview(output)
      const broken = brokenAddresses(output)
      if (broken.length > 0) throw new Error(`Broken links:\n${broken.join('\n')}`)
    },
  },
})
