import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations, type Violation } from './imports.ts'

type Files = Readonly<Record<string, string>>

/** Packages of ours name all of ours, so that a test breaks no other rule. */
const ours = Object.fromEntries(
  [
    ...[
      'protocol',
      'loader',
      'dialog-app',
      'wallet-frame',
      'identity-server',
      'third-parties',
      'demo',
      'e2e',
    ],
    ...['server', 'migrate', 'sandbox', 'testing'],
  ].map((name) => [`@latchkey/${name}`, '1.0.0']),
)
const manifest = (name: string, rest: object = {}) =>
  JSON.stringify({
    name,
    type: 'module',
    ...(name.startsWith('@latchkey/') && { devDependencies: ours }),
    ...rest,
  })
const door = (file: string) => ({ 'latchkey-source': file, default: `./dist/${file}` })

/** Packages that keep every rule, and the dependencies that they name. */
const skeleton: Files = {
  'package.json': manifest('root', { devDependencies: { vitest: '1.0.0', vite: '1.0.0' } }),
  'protocol/package.json': manifest('@latchkey/protocol', {
    exports: { '.': door('./index.ts'), './host': door('./host/index.ts') },
  }),
  'protocol/index.ts': 'export const x = 1',
  'protocol/host/index.ts': 'export const x = 1',
  'protocol/channel/queue.ts': 'export const x = 1',
  'protocol/capabilities/email.ts': 'export const x = 1',
  'loader/package.json': manifest('@latchkey/loader', { exports: { '.': door('./index.ts') } }),
  'loader/index.ts': 'export const x = 1',
  'loader/client/calls.ts': 'export const x = 1',
  'dialog-app/package.json': manifest('@latchkey/dialog-app', {
    exports: { '.': door('./start/main.ts') },
    dependencies: { react: '1.0.0', jotai: '1.0.0' },
  }),
  'dialog-app/start/main.ts': 'export const x = 1',
  'dialog-app/ui/button.tsx': 'export const x = <b />',
  'dialog-app/shell/card.tsx': 'export const x = <b />',
  'dialog-app/flow/stage.ts': 'export const x = 1',
  'dialog-app/host/serve.ts': 'export const x = 1',
  'dialog-app/capabilities/email/email.ts': 'export const x = 1',
  'wallet-frame/package.json': manifest('@latchkey/wallet-frame', { exports: { '.': door('./main.ts') } }),
  'wallet-frame/main.ts': 'export const x = 1',
  'wallet-frame/worker.ts': 'export const x = 1',
  'wallet-frame/vault/contract.ts': 'export const x = 1',
  'wallet-frame/vault/worker.ts': 'export const x = 1',
  'wallet-frame/vault/entropy.ts': 'export const x = 1',
  'wallet-frame/shares/wallets.ts': 'export const x = 1',
  'sdk/server/package.json': manifest('@latchkey/server'),
  'sdk/migrate/package.json': manifest('@latchkey/migrate'),
  'sdk/sandbox/package.json': manifest('@latchkey/sandbox'),
  'sdk/testing/package.json': manifest('@latchkey/testing', { exports: { '.': door('./mock/mock.ts') } }),
  'sdk/testing/mock/mock.ts': 'export const x = 1',
  'server/package.json': manifest('@latchkey/identity-server', {
    exports: { '.': door('./start/main.ts') },
    dependencies: { hono: '1.0.0' },
  }),
  'server/start/main.ts': 'export const x = 1',
  'server/kernel/context.ts': 'export const x = 1',
  'server/kernel/db/transaction.ts': 'export const x = 1',
  'server/identity/sessions/sessions.ts': 'export const x = 1',
  'server/identity/sessions/store.ts': 'export const x = 1',
  'server/account/linking/linking.ts': 'export const x = 1',
  'server/wallet/linking/routes.ts': 'export const x = 1',
  'server/wallet/wallets/wallets.ts': 'export const x = 1',
  'server/login/budget.ts': 'export const x = 1',
  'server/login/email/email.ts': 'export const x = 1',
  'server/login/email/code.ts': 'export const x = 1',
  'sandbox/package.json': manifest('@latchkey/third-parties'),
  'demo/package.json': manifest('@latchkey/demo'),
  'e2e/package.json': manifest('@latchkey/e2e'),
  'scripts/tool.mjs': 'export const x = 1',
  '../outside.mjs': 'export const x = 1',
  'node_modules/react/package.json': manifest('react', {
    exports: { '.': './index.js', './jsx-runtime': './jsx-runtime.js' },
  }),
  'node_modules/react/index.js': '',
  'node_modules/react/jsx-runtime.js': '',
  'node_modules/jotai/package.json': manifest('jotai', {
    exports: { '.': './dist/index.js', './react': './dist/react.js', './vanilla': './dist/vanilla.js' },
  }),
  'node_modules/jotai/dist/index.js': '',
  'node_modules/jotai/dist/react.js': '',
  'node_modules/jotai/dist/vanilla.js': '',
  'node_modules/hono/package.json': manifest('hono', { main: './index.js' }),
  'node_modules/hono/index.js': '',
  'node_modules/vitest/package.json': manifest('vitest', { main: './index.js' }),
  'node_modules/vitest/index.js': '',
  'node_modules/vite/package.json': manifest('vite', { main: './index.js' }),
  'node_modules/vite/index.js': '',
  'node_modules/lodash/package.json': manifest('lodash', { main: './index.js' }),
  'node_modules/lodash/index.js': '',
}
/** The name of each package after the scope, and its folder. */
const workspaces = {
  protocol: 'protocol',
  loader: 'loader',
  'dialog-app': 'dialog-app',
  'wallet-frame': 'wallet-frame',
  'identity-server': 'server',
  server: 'sdk/server',
  migrate: 'sdk/migrate',
  'third-parties': 'sandbox',
  sandbox: 'sdk/sandbox',
  testing: 'sdk/testing',
  demo: 'demo',
  e2e: 'e2e',
}

const roots: string[] = []

const writeTree = (files: Files): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'latchkey-imports-')))
  roots.push(folder)
  const root = join(folder, 'repository')
  for (const [path, content] of Object.entries({ ...skeleton, ...files })) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  mkdirSync(join(root, 'node_modules/@latchkey'))
  for (const [name, folder] of Object.entries(workspaces))
    symlinkSync(join(root, folder), join(root, 'node_modules/@latchkey', name))
  return root
}

afterAll(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true })
})

const from = (specifier: string) => `import { x } from '${specifier}'`

type Refused = readonly [what: string, path: string, code: string, rule: RegExp]

const refused: readonly Refused[] = [
  [
    'protocol importing a package of ours',
    'protocol/rows/r1.ts',
    from('@latchkey/loader'),
    /^of our packages, protocol imports none$/,
  ],
  [
    'the loader importing the dialog',
    'loader/frame/r1.ts',
    from('@latchkey/dialog-app'),
    /^of our packages, loader/,
  ],
  [
    'the dialog importing the loader',
    'dialog-app/start/r1.ts',
    from('@latchkey/loader'),
    /^of our .* dialog-app/,
  ],
  [
    'the wallet frame importing the server',
    'wallet-frame/r1.ts',
    from('@latchkey/identity-server'),
    /, wallet-frame/,
  ],
  ['the server importing the wallet frame', 'server/start/r1.ts', from('@latchkey/wallet-frame'), /, server/],
  ['the demo importing protocol', 'demo/r1.ts', from('@latchkey/protocol'), /^of our packages, demo/],
  [
    'the sandbox importing protocol',
    'sandbox/r1.ts',
    from('@latchkey/protocol'),
    /^of our packages, sandbox/,
  ],
  [
    'the browser tests importing the server',
    'e2e/r1.ts',
    from('@latchkey/identity-server'),
    /^of our packages, e2e/,
  ],
  [
    'a type out of bounds',
    'loader/frame/r2.ts',
    `import type { X } from '@latchkey/identity-server'`,
    /^of our packages/,
  ],
  [
    'a dynamic import out of bounds',
    'loader/frame/r3.ts',
    `await import('@latchkey/identity-server')`,
    /^of our packages/,
  ],
  [
    'a re-export out of bounds',
    'loader/frame/r4.ts',
    `export * from '@latchkey/identity-server'`,
    /^of our packages/,
  ],
  [
    'a test that imports out of bounds',
    'loader/frame/r5.test.ts',
    from('@latchkey/identity-server'),
    /^of our packages/,
  ],
  [
    'a type that no import declaration names',
    'loader/frame/r6.ts',
    `export type X = import('@latchkey/protocol').X`,
    /^a type is named by an import declaration$/,
  ],
  [
    'a deep import',
    'server/start/r2.ts',
    from('@latchkey/protocol/channel/queue'),
    /^an import names a file/,
  ],
  ['a file that is not there', 'server/start/r3.ts', from('./gone.ts'), /^an import names a file/],
  [
    'a path into another package',
    'server/start/r4.ts',
    from('../../protocol/host/index.ts'),
    /^another package is named by/,
  ],
  [
    'scripts in a package',
    'server/start/r5.ts',
    from('../../scripts/tool.mjs'),
    /^nothing outside the packages/,
  ],
  [
    'a file beside the repository in a test',
    'loader/testing/r2.ts',
    from('../../../outside.mjs'),
    /^nothing outside the repository/,
  ],
  [
    'a worker by an address that nothing bundles',
    'wallet-frame/r2.ts',
    `new Worker(new URL('./vault/worker.ts', import.meta.url))`,
    /^a script of ours is named by an import/,
  ],
  ['a dependency that nobody declares', 'loader/frame/r7.ts', from('lodash'), /^what a package ships/],
  ['a dependency that another package declares', 'loader/frame/r8.ts', from('hono'), /^what a package ships/],
  ['a tool of the tests in shipped code', 'server/start/r6.ts', from('vitest'), /^what a package ships/],
  [
    'a tool that nobody declares in a test',
    'server/start/r7.test.ts',
    from('lodash'),
    /^tests and tools need/,
  ],
  [
    "another area's store",
    'server/wallet/wallets/r1.ts',
    from('../../identity/sessions/store.ts'),
    /^an area of the server/,
  ],
  [
    "a login method's inside",
    'server/account/users/r1.ts',
    from('../../login/email/code.ts'),
    /^an area of the server/,
  ],
  ['one login method inside another', 'server/login/sms/r1.ts', from('../email/code.ts'), /^an area of the/],
  [
    'a method inside, from what all share',
    'server/login/r1.ts',
    from('./email/code.ts'),
    /its <method>\.ts$/,
  ],
  [
    'what login methods share, elsewhere',
    'server/account/users/r2.ts',
    from('../../login/budget.ts'),
    /for login methods$/,
  ],
  [
    "a capability's routes",
    'server/login/email/r1.ts',
    from('../../wallet/linking/routes.ts'),
    /^an area of the/,
  ],
  [
    'a floor of the server above, from the ground',
    'server/kernel/db/r1.ts',
    from('../../identity/sessions/sessions.ts'),
    /^in server, kernel may import nothing$/,
  ],
  [
    'a type of the floor just above',
    'server/wallet/wallets/r2.ts',
    `import type { X } from '../../login/email/email.ts'`,
    /^in server, wallet may import pages, identity, integrations, kernel$/,
  ],
  [
    'the list of capabilities below',
    'server/platform/provider/r1.ts',
    from('../../start/main.ts'),
    /^in server, platform may import/,
  ],
  [
    'a floor of protocol above',
    'protocol/entities/r1.ts',
    from('../capabilities/email.ts'),
    /^in protocol, channel and entities may import names/,
  ],
  [
    'a door of protocol from a folder',
    'protocol/rows/r9.ts',
    from('../index.ts'),
    /no folder imports the root/,
  ],
  [
    'a floor of the loader above',
    'loader/frame/r9.ts',
    from('../client/calls.ts'),
    /^in loader, frame may import types$/,
  ],
  ['a source beside the floors', 'server/r8.ts', 'export const x = 1', /^a source lies on a floor/],
  ['a folder that is no floor', 'server/linking/r1.ts', from('hono'), /^a source lies on a floor/],
  ['React in the core', 'dialog-app/flow/r1.ts', from('react'), /start without React$/],
  ["React's runtime in a session", 'dialog-app/session/r1.ts', from('react/jsx-runtime'), /without React$/],
  ['React atoms in the api', 'dialog-app/api/r1.ts', from('jotai/react'), /start without React$/],
  ['all of jotai on the host side', 'dialog-app/host/r1.ts', from('jotai'), /start without React$/],
  ["React in a capability's flow", 'dialog-app/capabilities/sign/flow.ts', from('react'), /without React$/],
  ['the same, named after it', 'dialog-app/capabilities/sign/sign-flow.ts', from('react'), /without React$/],
  ['a component in the contract', 'dialog-app/contract/r1.ts', from('../ui/button.tsx'), /no component$/],
  ['the shell in the contract', 'dialog-app/contract/r2.ts', from('../shell/card.tsx'), /no component$/],
  [
    'one capability in another',
    'dialog-app/capabilities/sign/r1.ts',
    from('../email/email.ts'),
    /^a capability of the dialog imports no other/,
  ],
  [
    'a capability by its name where the dialog starts',
    'dialog-app/start/r2.ts',
    from('../capabilities/email/email.ts'),
    /^the lists of capabilities alone/,
  ],
  [
    'the shell in a component',
    'dialog-app/ui/r1.tsx',
    from('../shell/card.tsx'),
    /^in dialog-app, host and wallet and ui may/,
  ],
  [
    'one folder of a floor in another',
    'dialog-app/wallet/r2.ts',
    from('../host/serve.ts'),
    /^in dialog-app, host and wallet and ui may/,
  ],
  [
    'a source in the root of the dialog',
    'dialog-app/r2.ts',
    from('./flow/stage.ts'),
    /^a source lies on a floor/,
  ],
  [
    'a folder of the dialog that has no floor',
    'dialog-app/helpers/r1.ts',
    from('../flow/stage.ts'),
    /^a source lies on a floor/,
  ],
  [
    'the package for tests of hosts naming what its own package.json does not',
    'sdk/testing/mock/r1.ts',
    from('vitest'),
    /^what a package ships needs only/,
  ],
  [
    'the package for tests of hosts importing protocol',
    'sdk/testing/mock/r2.ts',
    from('@latchkey/protocol'),
    /^of our packages, sdk\/testing imports loader/,
  ],
  [
    "the vault's inside on the page",
    'wallet-frame/shares/r1.ts',
    from('../vault/entropy.ts'),
    /contract only$/,
  ],
  [
    'a type of the inside on the page',
    'wallet-frame/bridge/r1.ts',
    `import type { X } from '../vault/entropy.ts'`,
    /contract only$/,
  ],
  [
    "the worker's code on the page",
    'wallet-frame/bridge/r2.ts',
    from('../vault/worker.ts'),
    /^the vault is named/,
  ],
  [
    'the page in the vault',
    'wallet-frame/vault/r1.ts',
    from('../shares/wallets.ts'),
    /^the vault imports nothing/,
  ],
]

const allowed: readonly (readonly [what: string, path: string, code: string])[] = [
  ['protocol through a door', 'loader/frame/a1.ts', from('@latchkey/protocol/host')],
  ['protocol in the browser tests', 'e2e/a1.ts', from('@latchkey/protocol')],
  ['the loader in the demo', 'demo/a1.ts', from('@latchkey/loader')],
  ['the loader in the package for tests of hosts', 'sdk/testing/mock/a1.ts', from('@latchkey/loader')],
  ['a tool of the tests in its tests', 'sdk/testing/mock/a2.test.ts', from('vitest')],
  ['the package for tests of hosts in the browser tests', 'e2e/a4.ts', from('@latchkey/testing')],
  ['a type by an import declaration', 'loader/frame/a2.ts', `import type { X } from '@latchkey/protocol'`],
  ['a declared dependency', 'server/start/a1.ts', from('hono')],
  ['a module of Node', 'server/start/a2.ts', from('node:fs')],
  ["the tests' own tools in a test", 'server/start/a3.test.ts', from('vitest')],
  ["the repository's tools in a configuration", 'demo/vite.config.ts', from('vite')],
  ['scripts in the browser tests', 'e2e/a2.ts', from('../scripts/tool.mjs')],
  ["scripts in a package's test helpers", 'loader/testing/a1.ts', from('../../scripts/tool.mjs')],
  ["an area's door", 'server/wallet/wallets/a1.ts', from('../../identity/sessions/sessions.ts')],
  ["a login method's door", 'server/account/users/a1.ts', from('../../login/email/email.ts')],
  ["a login method's door in another", 'server/login/sms/a1.ts', from('../email/email.ts')],
  ['the inside of the own area', 'server/identity/sessions/a1.ts', from('./store.ts')],
  ['the inside of the own method', 'server/login/email/a1.ts', from('./code.ts')],
  ['what all login methods share', 'server/login/email/a2.ts', from('../budget.ts')],
  ['a shared folder of the server', 'server/wallet/wallets/a2.ts', from('../../kernel/db/transaction.ts')],
  ['what every area gets', 'server/wallet/wallets/a4.ts', from('../../kernel/context.ts')],
  ['a floor below', 'server/login/email/a3.ts', from('../../wallet/wallets/wallets.ts')],
  ['another room of the floor', 'server/account/users/a2.ts', from('../linking/linking.ts')],
  ['a floor above in a test', 'server/kernel/db/a1.test.ts', from('../../start/main.ts')],
  ['a floor above in what tests share', 'server/kernel/db/testing/a1.ts', from('../../../start/main.ts')],
  ['what all tests of the server share', 'server/testing/a1.ts', from('../start/main.ts')],
  ['a configuration beside the floors', 'server/vite.config.ts', from('vite')],
  ['routes where the server is put together', 'server/start/a4.ts', from('../wallet/linking/routes.ts')],
  [
    'a store of another area in a test',
    'server/wallet/wallets/a3.test.ts',
    from('../../identity/sessions/store.ts'),
  ],
  ['React in a component', 'dialog-app/shell/a1.tsx', from('react')],
  ["React in a capability's screen", 'dialog-app/capabilities/sign/screen.tsx', from('react')],
  ["a type of React's in the core", 'dialog-app/flow/a2.ts', `import type { ReactNode } from 'react'`],
  ['atoms without React in the core', 'dialog-app/flow/a1.ts', from('jotai/vanilla')],
  ['a floor below in a floor above', 'dialog-app/shell/a2.ts', from('../ui/button.tsx')],
  ['the tools of the tests in a test', 'dialog-app/ui/a1.test.ts', from('../start/main.ts')],
  ['the core in a capability', 'dialog-app/capabilities/sign/a1.ts', from('../../flow/stage.ts')],
  ['the inside of the own capability', 'dialog-app/capabilities/email/a1.ts', from('./email.ts')],
  ['capabilities in their list', 'dialog-app/capabilities/index.ts', from('./email/email.ts')],
  ['a file that is called worker and is none', 'wallet-frame/bridge/a2.ts', from('../worker.ts')],
  ["the vault's contract on the page", 'wallet-frame/shares/a1.ts', from('../vault/contract.ts')],
  ["the worker's address on the page", 'wallet-frame/bridge/a1.ts', from('../vault/worker.ts?worker&url')],
  ['what page and vault share in the vault', 'wallet-frame/vault/a2.ts', from('../worker.ts')],
  ['the inside in the vault', 'wallet-frame/vault/a1.ts', from('./entropy.ts')],
  [
    'a document beside the packages',
    'protocol/rows/a1.ts',
    `new URL('../../../docs/protocol.md', import.meta.url)`,
  ],
  [
    'a program that the browser tests start',
    'e2e/a3.ts',
    `new URL('../server/start/main.ts', import.meta.url)`,
  ],
  [
    'what looks like an import in a comment and a string',
    'loader/frame/a3.ts',
    `// import x from 'lodash'\nexport const text = "import y from 'lodash'"`,
  ],
]

describe('every import of a tree', () => {
  let violations: readonly Violation[] = []
  beforeAll(async () => {
    const files = [...refused, ...allowed].map(([, path, code]) => [path, code])
    violations = await findViolations(writeTree(Object.fromEntries(files)), [])
  })
  const rulesBrokenIn = (path: string) =>
    violations.filter((violation) => violation.from === path).map(({ rule }) => rule)

  test.each(refused)('refused: %s', (_what, path, _code, rule) => {
    expect(rulesBrokenIn(path)).toEqual([expect.stringMatching(rule)])
  })
  test.each(allowed)('allowed: %s', (_what, path) => {
    expect(rulesBrokenIn(path)).toEqual([])
  })
})

test('a package that imports another of ours without naming it in its package.json is refused', async () => {
  const undeclared = {
    'server/package.json': manifest('@latchkey/identity-server', { devDependencies: {} }),
    'server/start/u1.ts': from('@latchkey/protocol'),
  }
  expect(await findViolations(writeTree(undeclared), [])).toEqual([
    {
      from: 'server/start/u1.ts',
      to: '@latchkey/protocol',
      rule: 'a package names ours that it imports in its package.json',
    },
  ])
})

describe('circles', () => {
  const twoFiles: Files = {
    'server/identity/users/users.ts': `import type { B } from './record.ts'\nexport type A = 1`,
    'server/identity/users/record.ts': `import type { A } from './users.ts'\nexport type B = 1`,
  }
  /** No two files here import each other; their folders do. */
  const twoFolders: Files = {
    'wallet-frame/bridge/bridge.ts': from('../shares/wallets.ts'),
    'wallet-frame/shares/transport.ts': from('../bridge/page.ts'),
    'wallet-frame/bridge/page.ts': 'export const x = 1',
  }

  test('two files that import types of each other are refused', async () => {
    expect(await findViolations(writeTree(twoFiles), [])).toEqual([
      expect.objectContaining({
        from: expect.stringMatching(/^server\/identity\/users\/(users|record)\.ts$/),
        rule: 'no two files import each other in a circle',
      }),
    ])
  })

  test('the same two pass when one of them imports the other', async () => {
    const oneWay = { ...twoFiles, 'server/identity/users/record.ts': 'export type B = 1' }
    expect(await findViolations(writeTree(oneWay), [])).toEqual([])
  })

  test('two folders that import each other are refused', async () => {
    const found = await findViolations(writeTree(twoFolders), [])
    expect(new Set(found.map(({ rule }) => rule))).toEqual(
      new Set(['no two folders import each other in a circle']),
    )
    expect(found.map(({ from }) => from).sort()).toEqual(['wallet-frame/bridge', 'wallet-frame/shares'])
  })

  test('a test may close a circle of folders, as it puts parts together', async () => {
    const { 'wallet-frame/shares/transport.ts': back = '', ...rest } = twoFolders
    expect(
      await findViolations(writeTree({ ...rest, 'wallet-frame/shares/transport.test.ts': back }), []),
    ).toEqual([])
  })

  test('a known circle passes, and one that is no more is an error', async () => {
    const known = [['server/identity/users/users.ts', 'server/identity/users/record.ts']]
    expect(await findViolations(writeTree(twoFiles), known)).toEqual([])
    expect(await findViolations(writeTree({}), known)).toEqual([
      {
        from: 'scripts/checks/import-rules.ts',
        to: 'server/identity/users/record.ts ⇄ server/identity/users/users.ts',
        rule: 'a circle that is no more leaves the list of known ones',
      },
    ])
  })
})

test('a source that does not parse is an error, not a pass', async () => {
  await expect(findViolations(writeTree({ 'loader/broken.ts': 'import {' }), [])).rejects.toThrow(
    'loader/broken.ts',
  )
})
