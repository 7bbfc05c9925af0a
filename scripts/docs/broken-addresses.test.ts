import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { brokenAddresses } from './broken-addresses.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-docs-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const check = (files: Readonly<Record<string, string>>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return brokenAddresses(folder)
}

test('links to built pages, files and anchors are accepted', () => {
  const links = '<a href="/b/">b</a> <a href="/b/#two">c</a> <a href="#a">d</a> <img src="/e.png">'
  const external = '<a href="https://other.example/">f</a> <script src="//other.example/g.js"></script>'
  expect(
    check({ 'index.html': `<p id="a">${links}${external}`, 'b/index.html': '<p id="two">', 'e.png': '' }),
  ).toEqual([])
})

test('a missing page, file or anchor is reported', () => {
  const links = '<a href="/c/">c</a> <a href="/b/#three">d</a> <img src="/f.png">'
  expect(check({ 'index.html': links, 'b/index.html': '<p id="two">' })).toEqual([
    'index.html: /c/ leads to no file',
    'index.html: /b/#three has no anchor',
    'index.html: /f.png leads to no file',
  ])
})
