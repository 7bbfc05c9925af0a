import { describe, expect, test } from 'vitest'
import { tracesIn } from './traces.ts'

/** Composed at run time, because this file is checked too. */
const path = (...parts: string[]) => ['', ...parts].join('/')
const address = (host: string) => `https:${path('', host, 'package')}`

describe('tracesIn finds a trace of a machine with its line', () => {
  test.each([
    ['a public registry', address('registry.npmjs.org')],
    ['a registry of a company', address('npm.registry.example.com:8443')],
    ['a mirror', address('artifactory.example.com')],
    ['a home folder', path('home', 'mira', 'latchkey')],
    ["a Mac's home folder", path('Users', 'mira')],
    ['a scratch folder', path('tmp', 'latchkey')],
    ["a Windows user's folder", ['C:', 'Users', 'mira'].join('\\')],
  ])('%s', (_what, trace) => {
    expect(tracesIn(`first line\nsee "${trace}" for more`)).toEqual([
      { line: 2, what: expect.any(String), found: expect.stringContaining(trace.slice(0, 10)) },
    ])
  })
})

test.each([
  ['an address of the product', 'https://dialog.example/loader/v1/loader.js'],
  ['a page of some site', address('app.example/home').replace('package', 'page')],
  ['a place where every machine of a kind has its programs', '/usr/bin/chromium'],
  ['a module with that name', "import { registry } from './registry.ts'; registry.clients.get(id)"],
  ['a path in the repository', 'demo/home/page.ts and ./work/plan.md'],
])('tracesIn ignores %s', (_what, text) => {
  expect(tracesIn(text)).toEqual([])
})
