import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { afterBuild, beforeBuild } from './last-release.ts'

let place = ''
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'latchkey-release-'))
})
afterEach(() => rmSync(place, { recursive: true }))

const dist = () => join(place, 'dist')
const write = (names: string[]) => {
  rmSync(dist(), { recursive: true, force: true })
  for (const name of ['index.html', '.vite/manifest.json', 'favicon.svg', ...names]) {
    mkdirSync(dirname(join(dist(), name)), { recursive: true })
    writeFileSync(join(dist(), name), name)
  }
}
const build = (...names: string[]) => {
  beforeBuild(dist())
  write(names)
  afterBuild(dist())
}
const kept = () => {
  const found = readdirSync(dist(), { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile() && entry.parentPath.includes('.last-release'))
    .map((entry) => entry.name)
    .sort()
}

const one = ['assets/core-1aaaaaaa.js', 'assets/core-1aaaaaaa.js.br', 'vault-1bbbbbbb.js']
const two = ['assets/core-2aaaaaaa.js', 'vault-1bbbbbbb.js']
const three = ['assets/core-3aaaaaaa.js', 'vault-3bbbbbbb.js']

it('keeps the hashed files of the previous release that the new one lacks', () => {
  build(...one)
  expect(kept()).toEqual([])
  build(...two)
  expect(kept()).toEqual(['core-1aaaaaaa.js', 'core-1aaaaaaa.js.br'])
  expect(readFileSync(join(dist(), '.last-release/assets/core-1aaaaaaa.js'), 'utf8')).toBe(one[0])
  build(...three)
  expect(kept()).toEqual(['core-2aaaaaaa.js', 'vault-1bbbbbbb.js'])
})

it('treats a build with identical files as the same release', () => {
  build(...one)
  build(...two)
  build(...two)
  expect(kept()).toEqual(['core-1aaaaaaa.js', 'core-1aaaaaaa.js.br'])
})

it('loses nothing if a build is interrupted', () => {
  build(...one)
  beforeBuild(dist())
  write([])
  build(...two)
  expect(kept()).toEqual(['core-1aaaaaaa.js', 'core-1aaaaaaa.js.br'])
})
