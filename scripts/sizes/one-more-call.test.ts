import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { accountRows } from '../../loader/calls/accounts.ts'
import { mfaRows } from '../../loader/calls/mfa.ts'
import { signingRows } from '../../loader/calls/signing.ts'
import { walletRows } from '../../loader/calls/wallets.ts'
import { hostCalls } from '../../protocol/doc/host-calls.ts'
import { withCall } from './one-more-call.ts'

const rows = 'const walletRows: Rows = { createWallet: withoutCard }'

test('a row is written where the rows of calls stand', () => {
  const { plugin, refuseIfMissing } = withCall('fly')
  expect(plugin.transform(rows, '/x/loader/calls/wallets.ts')?.code).toContain(
    '{ fly: withoutCard, createWallet:',
  )
  expect(refuseIfMissing).not.toThrow()
})

test('rows that stand elsewhere are an error, and not a call that costs nothing', () => {
  const { plugin, refuseIfMissing } = withCall('fly')
  expect(plugin.transform(rows, '/x/loader/calls/moved.ts')).toBeUndefined()
  expect(refuseIfMissing).toThrow('loader/calls/wallets.ts')
})

const root = join(import.meta.dirname, '../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const sources = (pattern: string) =>
  globSync(pattern, { cwd: root }).filter((path) => !/\.test(?:-d)?\.tsx?$/.test(path))
/** The files in which a name is a key of a table, or a method of a type. */
const declaring = (paths: readonly string[], name: string) =>
  paths.filter((path) => new RegExp(`^ {2}(?:readonly )?${name}(?:\\(|: )`, 'm').test(textOf(path)))

const ofProtocol = [...textOf('protocol/host/capabilities.ts').matchAll(/from '\.\.\/([^']+)'/g)].map(
  ([, path]) => `protocol/${path}`,
)
/** Types of what a host gives and gets have methods of their own, as a provider has `signMessage`. */
const ofLoader = sources('loader/{calls,client}/*.ts')
const ofDialog = sources('dialog-app/**/*.ts')
const hostDocs = textOf('loader/README.md')
const boundaryDocs = textOf('docs/protocol.md')

describe('a call of a host is declared once on each side', () => {
  const names = hostCalls.flatMap(({ calls }) => Object.keys(calls))

  test.each(names)('%s lies in one module of the protocol, with its answer and its sentence', (name) => {
    expect(declaring(ofProtocol, name)).toHaveLength(1)
    const [path = ''] = declaring(ofProtocol, name)
    expect(textOf(path).match(new RegExp(`\\b${name}: `, 'g'))).toHaveLength(3)
    expect(boundaryDocs).toContain(`#### \`${name}\``)
  })

  test.each(names)('%s is served by one capability of the dialog', (name) => {
    const listing = ofDialog.filter((path) =>
      new RegExp(`hostCalls: \\{\\s*names: \\[[^\\]]*'${name}'`).test(textOf(path)),
    )
    expect([...new Set(listing.map((path) => dirname(path)))]).toHaveLength(1)
  })

  test.each(Object.keys({ ...accountRows, ...mfaRows, ...walletRows, ...signingRows }))(
    '%s lies in one file of the loader, and its page tells hosts of it',
    (name) => {
      expect(declaring(ofLoader, name)).toHaveLength(1)
      expect(hostDocs).toContain(`\`${name}(`)
    },
  )
})
