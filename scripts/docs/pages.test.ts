import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../setup.mjs'
import { resolveLink } from './broken-links.ts'
import { listHeadings, listLinks } from './markdown.ts'
import { docPages, sections, translatedPages } from './pages.ts'

test('the site has the sections Start, Build, Operate, Security, Reference and Project', () => {
  expect(sections.map(({ label }) => label)).toEqual([
    'Start',
    'Build',
    'Operate',
    'Security',
    'Reference',
    'Project',
  ])
})

test('every document is on the site, once, at an address of its own', () => {
  const sources = [...docPages, ...translatedPages].map(({ source }) => source)
  expect(sources).toEqual(expect.arrayContaining(globSync('docs/**/*.md', { cwd: root })))
  expect(new Set(sources).size).toBe(sources.length)
  expect(new Set(docPages.map(({ slug }) => slug)).size).toBe(docPages.length)
})

/** Returns the fenced code blocks of a page, and the files and addresses that it links. */
function readStructure(path: string) {
  const text = readFileSync(join(root, path), 'utf8')
  const files = listLinks(text).map(({ target }) => resolveLink(path, target)?.path ?? target)
  return {
    blocks: text.match(/^```.*?^```$/gms),
    headings: listHeadings(text).map(({ level }) => level),
    files: files.map((file) => translated.get(file) ?? file),
  }
}
const translated = new Map(translatedPages.map(({ page, source }) => [source, page.source]))

test.each(translatedPages)(
  '$source has the code, headings and links of its English page',
  ({ page, source }) => {
    expect(readStructure(source)).toEqual(readStructure(page.source))
  },
)
