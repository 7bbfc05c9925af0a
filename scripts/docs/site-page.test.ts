import { expect, test } from 'vitest'
import { convertPage } from './site-page.ts'

const convert = (text: string) =>
  convertPage({
    path: 'docs/a.md',
    text,
    findAddress: (path) => ({ 'docs/b.md': '/build/b/', 'README.md': '/' })[path],
  })

test('a link to another page becomes its address with the anchor', () => {
  const { body, files } = convert('# A\n\n[b](b.md) [c](b.md#two) [d](../README.md) [e](#here)\n')
  expect(body).toBe('[b](/build/b/) [c](/build/b/#two) [d](/) [e](#here)\n')
  expect(files.size).toBe(0)
})

test('a link to a file that is no page leads to a copy of the file', () => {
  const { body, files } = convert('# A\n\n![p](dialog.png) [s](../server/main.ts)\n')
  expect(body).toBe('![p](/files/dialog.png) [s](/files/server/main.ts.txt)\n')
  expect([...files]).toEqual([
    ['/files/dialog.png', 'docs/dialog.png'],
    ['/files/server/main.ts.txt', 'server/main.ts'],
  ])
})

test('external links, inline code and code blocks stay as they are', () => {
  const body = '[a](https://a.example/b.md) `[b](b.md)`\n\n```md\n[b](b.md)\n<!-- tabs -->\n```\n'
  expect(convert(`# A\n\n${body}`).body).toBe(body)
})

test('the title leaves the body, and the first sentence describes the page', () => {
  const page = convert('# The `a`\n\n```sh\nnpm start\n```\n\nUse [b](b.md). Then c.\n')
  expect(page.title).toBe('The a')
  expect(page.description).toBe('Use b.')
  expect(page.body).not.toContain('# The')
})

test('a page without a title throws an error with its path', () => {
  expect(() => convert('Text\n')).toThrow('docs/a.md does not begin with a title')
})

test('sections between the tab markers become tabs', () => {
  const text = '# A\n\n<!-- tabs -->\n\n## One\n\n1\n\n## Two\n\n2\n\n<!-- /tabs -->\n\n## Three\n'
  expect(
    convert(text)
      .body.split('\n')
      .filter((line) => line !== ''),
  ).toEqual([
    '<div class="guides">',
    '<section class="guide">',
    '## One',
    '1',
    '</section>',
    '<section class="guide">',
    '## Two',
    '2',
    '</section>',
    '</div>',
    '## Three',
  ])
})
