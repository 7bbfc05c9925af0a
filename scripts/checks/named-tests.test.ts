/** Verifies that the tests exist that docs/security names. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const packages = '{protocol,loader,dialog-app,wallet-frame,server,e2e,scripts}'
const exclude = (name: string) => name.endsWith('node_modules') || name.endsWith('dist')

const tests = globSync(`${packages}/**/*.{test,e2e,facts}.ts`, { cwd: root, exclude })
/** A name without a folder matches a file in any folder. */
const found = (named: string): string[] =>
  named.includes('/')
    ? globSync(named, { cwd: root, exclude })
    : tests.filter((file) => basename(file) === named)

const namedIn = (text: string) =>
  [...text.matchAll(/`([\w./*-]+\.(?:test|e2e|facts)\.ts)`/g)].flatMap(([, name]) => name ?? [])

test('every test that docs/security names exists', () => {
  const pages = globSync('docs/security/*.md', { cwd: root })
  const named = new Set(pages.flatMap((page) => namedIn(readFileSync(join(root, page), 'utf8'))))
  expect(named.size).toBeGreaterThan(60)
  expect([...named].filter((name) => found(name).length === 0)).toEqual([])
})

test('a missing test is reported, with or without a folder', () => {
  const text =
    'shown by `scripts/checks/named-tests.test.ts`, `named-tests.test.ts`, `server/wallet/wallets/*.test.ts`'
  expect(namedIn(text).filter((name) => found(name).length === 0)).toEqual([])
  const gone = 'shown by `server/named-tests.test.ts`, `no-such.test.ts` and `server/no-such/*.test.ts`'
  expect(namedIn(gone).filter((name) => found(name).length === 0)).toHaveLength(3)
})
