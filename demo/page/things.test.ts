import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFunctionBody } from './source.ts'

const page = import.meta.dirname
const sources = globSync('../calls/*.ts', { cwd: page }).map((path) => readFileSync(join(page, path), 'utf8'))
const table = readFileSync(join(page, 'things.ts'), 'utf8')
const rows = [...table.matchAll(/name: '(\w+)'[\s\S]*?run: (.*?)(?:,\n| \})/g)].map(
  ([, name = '', run = '']) => [name, run] as const,
)

test('the page offers many actions', () => {
  expect(rows.length).toBeGreaterThan(20)
})

test.each(rows)('%s shows the function that its button runs, in at most four lines', (name, run) => {
  expect(run).toMatch(new RegExp(`\\.${name}\\b`))
  const lines = readFunctionBody(name, sources).split('\n')
  expect(lines.length).toBeLessThanOrEqual(4)
  expect(lines.join('\n')).toContain('latchkey.')
})

test.each([
  'login',
  'logout',
  'linkEmail',
  'linkPhone',
  'linkGoogle',
  'linkWallet',
  'linkPasskey',
  'linkFarcaster',
  'updateEmail',
  'unlinkEmail',
  'unlinkPhone',
  'forkSession',
  'showMfaEnrollment',
  'setWalletRecovery',
  'signMessage',
  'signTypedData',
  'sendTransaction',
  'fundWallet',
  'exportWallet',
  'importWallet',
  'createWallet',
  'createSolanaWallet',
  'getSolanaProvider',
  'requestFarcasterSigner',
  'signFarcasterMessage',
  'getEthereumProvider',
  'getAccessToken',
])('the page offers latchkey.%s()', (call) => {
  expect(sources.join('\n')).toContain(`latchkey.${call}(`)
})
