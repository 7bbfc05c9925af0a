import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keepRelease } from './keep-release.ts'
import { contentHash } from './scripts.ts'

let place = ''
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'latchkey-releases-'))
  mkdirSync(join(place, 'dist'))
})
afterEach(() => rmSync(place, { recursive: true }))

const releases = () => join(place, 'releases')
function build(script: string) {
  const files = {
    'loader.js': script,
    'loader.js.br': `compressed ${script}`,
    'latchkey.js': 'module',
    'loader-more.js': 'more',
  }
  for (const [name, code] of Object.entries(files)) writeFileSync(join(place, 'dist', name), code)
  keepRelease(join(place, 'dist'), releases())
}

it('keepRelease keeps the scripts of earlier builds under their hashes', () => {
  build('first')
  build('second')
  expect(readdirSync(releases()).sort()).toEqual(
    ['first', 'second', 'module', 'more'].map(contentHash).sort(),
  )
  const kept = join(releases(), contentHash('first'))
  expect(readFileSync(join(kept, 'loader.js'), 'utf8')).toBe('first')
  expect(readFileSync(join(kept, 'loader.js.br'), 'utf8')).toBe('compressed first')
})

it('keepRelease removes the oldest of more than 60 files, but no folder of the operator', () => {
  mkdirSync(join(releases(), '0.1.0'), { recursive: true })
  utimesSync(join(releases(), '0.1.0'), 0, 0)
  for (let number = 0; number <= 60; number += 1) {
    build(`script ${number}`)
    const folder = join(releases(), contentHash(`script ${number}`))
    utimesSync(folder, number, number)
  }
  build('script 61')
  const names = readdirSync(releases())
  expect(names).toHaveLength(61)
  expect(names).toEqual(
    expect.arrayContaining(['0.1.0', ...['more', 'module', 'script 61', 'script 60'].map(contentHash)]),
  )
  expect(names).not.toContain(contentHash('script 0'))
})
