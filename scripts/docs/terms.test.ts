import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryFiles } from '../checks/files.ts'
import { root } from '../setup.mjs'
import { translatedPages } from './pages.ts'
import { misspelledTerms } from './terms.ts'

test('the English documents spell product names and terms alike', async () => {
  const translations = new Set(translatedPages.map(({ source }) => source))
  const isGenerated = (path: string) => /^docs\/(?:reference\/|protocol\.md$)/.test(path)
  const pages = (await repositoryFiles()).filter(
    (path) => path.endsWith('.md') && !isGenerated(path) && !translations.has(path),
  )
  expect(pages.length).toBeGreaterThan(60)
  expect(pages.flatMap((path) => misspelledTerms(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
})

test('finds another spelling of a name or word, with its line', () => {
  expect(
    misspelledTerms('a.md', '# Latchkey\n\nGithub, NodeJS and Latch Key.\nTwo pass keys and colours.\n'),
  ).toEqual([
    'a.md:3: write "Latchkey" instead of "Latch Key"',
    'a.md:3: write "GitHub" instead of "Github"',
    'a.md:3: write "Node" instead of "NodeJS"',
    'a.md:4: write "passkey" instead of "pass keys"',
    'a.md:4: write "color" instead of "colours"',
  ])
})

test('accepts capitals, plurals, code and link targets', () => {
  const text =
    '# Webhooks\n\nPasskeys of `postgres://` [PostgreSQL](https://github.com/postgres).\n\n```sh\nnodejs\n```\n'
  expect(misspelledTerms('a.md', text)).toEqual([])
})
