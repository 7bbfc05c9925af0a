import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { describe, expect, test } from 'vitest'
import { bundle } from '../../loader/build/bundle.ts'
import { accountRows } from '../../loader/calls/accounts.ts'
import { mfaRows } from '../../loader/calls/mfa.ts'
import { signingRows } from '../../loader/calls/signing.ts'
import { walletRows } from '../../loader/calls/wallets.ts'
import { hostCalls } from '../../protocol/doc/host-calls.ts'

const script = { entry: 'start/script.ts', format: 'iife' } as const
const rows = /\bconst walletRows\b[^=]*=\s*\{/

test('another call of a capability adds at most 20 bytes to the loader script', async () => {
  const bundledCalls: string[] = []
  const oneMore: Plugin = {
    name: 'one-more-call',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/loader/calls/wallets.ts')) return undefined
      bundledCalls.push(id)
      return { code: code.replace(rows, (start) => `${start} stakeTokens: withoutCard,`), map: null }
    },
  }
  const before = await bundle(script)
  const after = await bundle({ ...script, plugins: [oneMore] })
  expect(bundledCalls).toHaveLength(1)
  expect(after).toContain('stakeTokens')
  expect(brotliCompressSync(after).length - brotliCompressSync(before).length).toBeLessThanOrEqual(20)
})

const root = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const sources = (pattern: string) =>
  globSync(pattern, { cwd: root }).filter((path) => !/\.test(?:-d)?\.tsx?$/.test(path))
/** Returns the files in which a name is a table key or a method of a type. */
const declaring = (paths: string[], name: string) =>
  paths.filter((path) => new RegExp(`^ {2}(?:readonly )?${name}(?:\\(|: )`, 'm').test(textOf(path)))

const ofProtocol = [...textOf('protocol/host/capabilities.ts').matchAll(/from '\.\.\/([^']+)'/g)].map(
  ([, path]) => `protocol/${path}`,
)
/** Excludes types of host objects, which have their own methods, such as `signMessage` of a provider. */
const ofLoader = sources('loader/{calls,client}/*.ts')
const ofDialog = sources('dialog-app/**/*.ts')
const hostDocs = textOf('loader/README.md')
const boundaryDocs = textOf('docs/protocol.md')

describe('a host call is declared once on each side', () => {
  const names = hostCalls.flatMap(({ calls }) => Object.keys(calls))

  test.each(names)(
    '%s is declared in one module of the protocol, with its response and its description',
    (name) => {
      expect(declaring(ofProtocol, name)).toHaveLength(1)
      const [path = ''] = declaring(ofProtocol, name)
      expect(textOf(path).match(new RegExp(`\\b${name}: `, 'g'))).toHaveLength(3)
      expect(boundaryDocs).toContain(`#### \`${name}\``)
    },
  )

  test.each(names)('%s is served by one capability of the dialog', (name) => {
    const listing = ofDialog.filter((path) =>
      new RegExp(`hostCalls: \\{\\s*names: \\[[^\\]]*'${name}'`).test(textOf(path)),
    )
    expect([...new Set(listing.map((path) => dirname(path)))]).toHaveLength(1)
  })

  test.each(Object.keys({ ...accountRows, ...mfaRows, ...walletRows, ...signingRows }))(
    '%s is declared in one file of the loader, and documented for hosts',
    (name) => {
      expect(declaring(ofLoader, name)).toHaveLength(1)
      expect(hostDocs).toContain(`\`${name}(`)
    },
  )
})
