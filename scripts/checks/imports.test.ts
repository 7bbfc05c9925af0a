import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { cruise, type IConfiguration } from 'dependency-cruiser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import imports from '../../.dependency-cruiser.mjs'
import { packages } from '../builds/packages.ts'
import folderCircles from './folder-circles.mjs'
import { refusedImports } from './import-forms.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'latchkey-imports-')))
const root = join(place, 'repository')
afterAll(() => rmSync(place, { recursive: true, force: true }))

const write = (path: string, text: string) => {
  mkdirSync(join(root, dirname(path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const from = (specifier: string) => `import { x } from '${specifier}'`
const entry = { '.': { 'latchkey-source': './index.ts' } }

/** The files that the violations import. */
const targets = [
  ...['protocol', 'loader', 'dialog-app', 'wallet-frame', 'server'].map((folder) => `${folder}/index.ts`),
  'protocol/channel/queue.ts',
  'protocol/browser/gate.ts',
  'dialog-app/ui/button.tsx',
  'dialog-app/flow/stage.ts',
  'dialog-app/capabilities/email/email.ts',
  'wallet-frame/vault/entropy.ts',
  'wallet-frame/shares/wallets.ts',
  'server/identity/sessions/store.ts',
  'server/identity/sessions/sessions.ts',
  'server/login/budget.ts',
  'server/login/email/code.ts',
  'server/login/email/email.ts',
  'scripts/tool.mjs',
  '../outside.mjs',
]

/** A source that violates the rule. */
const violations: [rule: string, path: string, source: string][] = [
  ['loader-packages', 'loader/frame/a.ts', from('@latchkey/dialog-app')],
  ['loader-declares-packages', 'loader/frame/a.ts', from('@latchkey/dialog-app')],
  ['loader-packages', 'loader/frame/b.ts', `import type { X } from '@latchkey/dialog-app'`],
  ['loader-packages', 'loader/frame/c.ts', `await import('@latchkey/dialog-app')`],
  ['loader-packages', 'loader/frame/d.ts', `export * from '@latchkey/dialog-app'`],
  ['loader-packages', 'loader/frame/e.test.ts', from('@latchkey/dialog-app')],
  ['package-by-name', 'server/start/a.ts', from('../../protocol/channel/queue.ts')],
  ['demo-page', 'demo/page/a.ts', from('@latchkey/protocol')],
  ['no-scripts-in-packages', 'server/start/b.ts', from('../../scripts/tool.mjs')],
  ['inside-repository', 'loader/testing/a.ts', from('../../../outside.mjs')],
  ['resolvable', 'server/start/c.ts', from('./gone.ts')],
  ['resolvable', 'server/start/d.ts', from('@latchkey/protocol/channel/queue')],
  ['declared-dependency', 'loader/frame/f.ts', from('undeclared')],
  ['declared-dependency', 'loader/frame/g.ts', from('vitest')],
  ['declared-tool', 'server/start/e.test.ts', from('undeclared')],
  ['server-floor-kernel', 'server/kernel/db/a.ts', from('../../identity/sessions/sessions.ts')],
  [
    'server-floor-wallet',
    'server/wallet/wallets/a.ts',
    `import type { X } from '../../login/email/email.ts'`,
  ],
  ['dialog-app-floor-host-wallet-ui', 'dialog-app/wallet/a.ts', from('../ui/button.tsx')],
  ['protocol-root', 'protocol/rows/a.ts', from('../index.ts')],
  ['server-placed', 'server/linking/a.ts', from('node:fs')],
  ['dialog-app-placed', 'dialog-app/a.ts', from('node:fs')],
  ['server-area-entry', 'server/wallet/wallets/b.ts', from('../../identity/sessions/store.ts')],
  ['server-area-entry', 'server/login/sms/a.ts', from('../email/code.ts')],
  ['server-login-shared', 'server/account/users/a.ts', from('../../login/budget.ts')],
  ['server-login-method-entry', 'server/login/a.ts', from('./email/code.ts')],
  ['dialog-core-without-react', 'dialog-app/session/a.ts', from('react')],
  ['dialog-core-without-react', 'dialog-app/capabilities/send/send-call.ts', from('react')],
  ['dialog-core-without-react', 'dialog-app/host/b.ts', from('jotai')],
  ['dialog-core-without-ui', 'dialog-app/contract/a.ts', from('../ui/button.tsx')],
  ['dialog-capability-lists', 'dialog-app/start/a.ts', from('../capabilities/email/email.ts')],
  ['wallet-page-vault', 'wallet-frame/bridge/a.ts', from('../vault/entropy.ts')],
  ['confirmation-page-vault', 'wallet-frame/confirm/a.ts', from('../vault/entropy.ts')],
  ['recovery-window-vault', 'wallet-frame/recovery-window/a.ts', from('../vault/entropy.ts')],
  ['cross-app-page-vault', 'wallet-frame/cross-app/a.ts', from('../vault/entropy.ts')],
  ['vault-without-pages', 'wallet-frame/vault/a.ts', from('../shares/wallets.ts')],
  ['vault-without-browser-code', 'wallet-frame/vault/b.ts', from('../clock.ts')],
  ['no-circular-files', 'server/identity/users/a.ts', `import type { B } from './b.ts'`],
]

const cruiseRepository = async ({ forbidden = [], options }: IConfiguration) => {
  const folders = [...packages().map(({ folder }) => folder), 'scripts']
  const { output } = await cruise(folders, {
    ...options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden },
  })
  if (typeof output === 'string') throw new Error(output)
  return output.summary.violations.map(({ from: path, rule }) => `${path} ${rule.name}`)
}

beforeAll(() => {
  for (const { folder, manifest } of packages()) {
    write(`${folder}/package.json`, JSON.stringify({ ...manifest, exports: entry }))
    mkdirSync(join(root, 'node_modules/@latchkey'), { recursive: true })
    symlinkSync(join(root, folder), join(root, 'node_modules', manifest.name))
  }
  for (const name of ['undeclared', 'vitest', 'react', 'jotai']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }))
    write(`node_modules/${name}/index.js`, '')
  }
  write('package.json', JSON.stringify({ name: 'root' }))
  for (const path of targets) write(path, 'export const x = 1')
  for (const [, path, source] of violations) write(path, source)
  write('server/identity/users/b.ts', `import type { A } from './a.ts'`)
  write('wallet-frame/clock.ts', from('../protocol/browser/gate.ts'))
})

describe('dependency-cruiser with our rules', () => {
  let found: string[] = []
  beforeAll(async () => {
    found = await cruiseRepository(imports)
  })

  test.each(violations)('reports %s for %s', (rule, path) => {
    expect(found).toContain(`${path} ${rule}`)
  })

  test('has a violation for every rule, besides the rows of packages and floors', () => {
    const covered = new Set(violations.map(([rule]) => rule))
    const generated = /-(?:packages|declares-packages|root|placed)$|-floor-/
    const rules = imports.forbidden?.map(({ name }) => name ?? '') ?? []
    expect(rules.filter((name) => !generated.test(name) && !covered.has(name))).toEqual([])
  })

  test('reports folders that import each other', async () => {
    write('wallet-frame/shares/b.ts', from('../mfa/c.ts'))
    write('wallet-frame/mfa/c.ts', 'export const x = 1')
    write('wallet-frame/mfa/d.ts', from('../shares/wallets.ts'))
    const circles = (await cruiseRepository(folderCircles)).filter((line) =>
      line.startsWith('wallet-frame/mfa'),
    )
    expect(circles).toContain('wallet-frame/mfa no-circular-folders')
  })

  test('fails for a source that does not parse', async () => {
    write('loader/frame/broken.ts', 'import {')
    await expect(cruiseRepository(imports)).rejects.toThrow('loader/frame/broken.ts')
  })
})

test.each([
  ['loader/a.ts', `export type X = import('@latchkey/protocol').X`, 'by a declaration'],
  ['wallet-frame/a.ts', `new Worker(new URL('./vault/worker.ts', import.meta.url))`, '?worker&url'],
  ['wallet-frame/bridge/a.ts', from('../vault/worker.ts'), '?worker&url'],
])('%s must not contain %s', (path, source, rule) => {
  expect(refusedImports(path, source)).toEqual([expect.stringContaining(rule)])
})

test('URLs of workers, and of programs in browser tests, are accepted', () => {
  expect(refusedImports('wallet-frame/a.ts', from('./vault/worker.ts?worker&url'))).toEqual([])
  expect(refusedImports('e2e/a.ts', `new URL('../server/start/main.ts', import.meta.url)`)).toEqual([])
})
