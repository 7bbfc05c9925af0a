import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root } from '../setup.mjs'
import { docPages, sections } from './pages.ts'

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
  const sources = docPages.map(({ source }) => source)
  expect(sources).toEqual(expect.arrayContaining(globSync('docs/**/*.md', { cwd: root })))
  expect(new Set(sources).size).toBe(sources.length)
  expect(new Set(docPages.map(({ slug }) => slug)).size).toBe(docPages.length)
})
