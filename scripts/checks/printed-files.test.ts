/** Verifies that the docs print the tested examples: see e2e/clients/examples. */
import { expect, test } from 'vitest'
import { filesIn, pages, readText, withFiles } from './printed-files.ts'

test.each(pages)('every block of %s that names a file has its text', (page) => {
  // If this fails: node scripts/checks/printed-files.ts
  expect(withFiles(readText(page))).toBe(readText(page))
})

test('every block of the quick starts prints a file, except shell commands', () => {
  const page = readText('docs/quick-start.md')
  const languages = [...page.matchAll(/^```(\w+)\n/gm)].map(([, language]) => language)
  expect(filesIn(page)).toHaveLength(languages.filter((language) => language !== 'sh').length)
})

test('the quick starts print every example', () => {
  const examples = new Set(filesIn(readText('docs/quick-start.md')).map((path) => path.split('/')[1]))
  expect([...examples].sort()).toEqual([
    'backends',
    'next',
    'one-line',
    'svelte',
    'vite-react',
    'vue',
    'wagmi-rainbowkit',
  ])
})

const file = 'before\n    // #region ask\n    ask(\n      me,\n    )\n    // #endregion ask\nafter\n'
const read = (path: string) => {
  if (path !== 'examples/a.js') throw new Error(`${path} is not there`)
  return file
}
const block = (name: string, text: string) => `Look:\n\n<!-- ${name} -->\n\n\`\`\`js\n${text}\`\`\`\n\nEnd.\n`

test('a changed file replaces its block and nothing else', () => {
  expect(withFiles(block('examples/a.js', 'old()\n'), read)).toBe(block('examples/a.js', file))
  expect(withFiles(block('examples/a.js', ''), read)).toBe(block('examples/a.js', file))
  expect(withFiles('```js\nold()\n```\n', read)).toBe('```js\nold()\n```\n')
})

test('a region is printed without its markers and its indent', () => {
  const printed = block('examples/a.js#ask', 'ask(\n  me,\n)\n')
  expect(withFiles(block('examples/a.js#ask', 'old()\n'), read)).toBe(printed)
  expect(withFiles(printed, read)).toBe(printed)
})

test('a missing file or region throws an error with its name', () => {
  expect(() => withFiles(block('examples/b.js', ''), read)).toThrow('examples/b.js is not there')
  expect(() => withFiles(block('examples/a.js#tell', ''), read)).toThrow('examples/a.js has no region tell')
})
