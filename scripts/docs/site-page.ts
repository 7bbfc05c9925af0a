// Converts a Markdown file of the repository to a page of the documentation site. The file itself stays as GitHub
// shows it: its relative links become addresses of the site, and its tab markers become tabs.

import { posix } from 'node:path'
import { resolveLink } from './broken-links.ts'
import { listHeadings, mapLinks, mapProse } from './markdown.ts'

type Source = {
  path: string
  text: string
  /** Returns the address of the page that shows a Markdown file, or undefined. */
  findAddress: (path: string) => string | undefined
}

type SitePage = {
  title: string
  description: string
  body: string
  /** The files that the page links and the site has to serve, by their address. */
  files: ReadonlyMap<string, string>
}

/** The line that the site replaces by the theme editor. */
export const themeEditorMark = '<!-- theme editor -->'
const openTabs = '<!-- tabs -->'
const closeTabs = '<!-- /tabs -->'

/** Returns the first sentence of the first paragraph of prose, without marks. */
function findFirstSentence(body: string): string {
  const paragraphs = body.trim().split(/\n{2,}/)
  const prose = paragraphs.find((paragraph) => /^[A-Z@`[]/.test(paragraph) && !paragraph.includes('\n')) ?? ''
  const plain = prose.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
  const [first = plain] = /^.*?\.(?= |$)/.exec(plain) ?? []
  return first.replace(/:$/, '.')
}

/** Wraps each second-level section between the markers into a tab. */
function convertTabs(text: string): string {
  let isInside = false
  let isOpen = false
  const end = () => (isOpen ? '\n</section>\n\n' : '')
  return mapProse(text, (line) => {
    if (line === openTabs) {
      isInside = true
      return '<div class="guides">\n'
    }
    if (line === closeTabs) {
      const closing = `${end()}</div>\n`
      isInside = isOpen = false
      return closing
    }
    if (!isInside || !line.startsWith('## ')) return line
    const opening = `${end()}<section class="guide">\n\n${line}`
    isOpen = true
    return opening
  })
}

/** Removes comments, such as the names of printed files. Code blocks keep theirs. */
const withoutComments = (text: string) =>
  mapProse(text, (line) => (line !== themeEditorMark && /^<!--.*-->$/.test(line.trim()) ? '' : line))

export function convertPage({ path, text, findAddress }: Source): SitePage {
  const [title] = listHeadings(text)
  if (title?.level !== 1) throw new Error(`${path} does not begin with a title`)
  const files = new Map<string, string>()
  const withoutTitle = text.slice(text.indexOf('\n', text.indexOf(`# `)) + 1).trimStart()
  const linked = mapLinks(withoutTitle, (target) => {
    const link = resolveLink(path, target)
    if (link === undefined || target.startsWith('#')) return target
    const address = findAddress(link.path)
    if (address !== undefined) return link.anchor === '' ? address : `${address}#${link.anchor}`
    const isImage = /\.(png|svg|jpg)$/.test(link.path)
    const file = isImage ? `/files/${posix.basename(link.path)}` : `/files/${link.path}.txt`
    files.set(file, link.path)
    return file
  })
  const body = withoutComments(convertTabs(linked))
  return { title: title.text, description: findFirstSentence(body), body, files }
}

/** Formats a page with its front matter, for Starlight. */
export const withFrontMatter = (fields: Readonly<Record<string, unknown>>, body: string) =>
  `---\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('')}---\n\n${body}`
