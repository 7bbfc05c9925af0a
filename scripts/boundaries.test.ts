import { describe, expect, test } from 'vitest'
import { findViolations, importsOf } from './boundaries.mjs'

const manifests = {
  '.': { devDependencies: { vitest: '1.0.0', '@playwright/test': '1.0.0' } },
  protocol: {
    name: '@latchkey/protocol',
    exports: { '.': {}, './host': {} },
    dependencies: { valibot: '1.0.0' },
  },
  loader: { name: '@latchkey/loader', exports: { '.': {} } },
  'dialog-app': {
    name: '@latchkey/dialog-app',
    dependencies: { react: '1.0.0', jotai: '1.0.0', penpal: '1.0.0' },
  },
  'wallet-frame': { name: '@latchkey/wallet-frame' },
  server: { name: '@latchkey/server', dependencies: { hono: '1.0.0' } },
  sandbox: { name: '@latchkey/sandbox' },
  demo: { name: '@latchkey/demo' },
  e2e: { name: '@latchkey/e2e' },
}

const reasons = (path: string, code: string) =>
  findViolations([[path, code]], manifests).map(({ reason }) => reason)

const from = (specifier: string) => `import { x } from '${specifier}'`

const refused: readonly (readonly [what: string, path: string, code: string, reason: RegExp])[] = [
  [
    'protocol importing a package of ours',
    'protocol/host.ts',
    from('@latchkey/loader'),
    /may not import loader/,
  ],
  [
    'the loader importing the dialog',
    'loader/index.ts',
    from('@latchkey/dialog-app'),
    /may not import dialog-app/,
  ],
  [
    'the dialog importing the loader',
    'dialog-app/core.ts',
    from('@latchkey/loader'),
    /may not import loader/,
  ],
  [
    'the wallet frame importing the server',
    'wallet-frame/a.ts',
    from('@latchkey/server'),
    /may not import server/,
  ],
  [
    'the server importing the wallet frame',
    'server/a.ts',
    from('@latchkey/wallet-frame'),
    /may not import wallet-/,
  ],
  ['the demo importing protocol', 'demo/page.ts', from('@latchkey/protocol'), /may not import protocol/],
  ['the sandbox importing protocol', 'sandbox/a.ts', from('@latchkey/protocol'), /may not import protocol/],
  [
    'a type from a package that is out of bounds',
    'loader/a.ts',
    `import type { X } from '@latchkey/server'`,
    /may not/,
  ],
  [
    'a dynamic import out of bounds',
    'loader/a.ts',
    `await import('@latchkey/server')`,
    /may not import server/,
  ],
  [
    'an import type out of bounds',
    'loader/a.ts',
    `type X = import('@latchkey/server').X`,
    /may not import server/,
  ],
  ['a re-export out of bounds', 'loader/a.ts', `export * from '@latchkey/server'`, /may not import server/],
  [
    'a test that imports out of bounds',
    'loader/a.test.ts',
    from('@latchkey/server'),
    /may not import server/,
  ],
  ['a deep import', 'server/a.ts', from('@latchkey/protocol/channel/queue'), /has no door/],
  ['a path into another package', 'e2e/a.ts', from('../server/main.ts'), /by its name/],
  ['a path out of the repository', 'server/a.ts', from('../../elsewhere.ts'), /by its name/],
  [
    'a worker address in another package',
    'dialog-app/a.ts',
    `new URL('../wallet-frame/v.ts', import.meta.url)`,
    /name/,
  ],
  [
    'a dependency that is not declared',
    'loader/a.ts',
    from('lodash'),
    /lodash is not among the dependencies/,
  ],
  ['a tool of the tests in shipped code', 'server/a.ts', from('vitest'), /vitest is not among/],
  [
    "another area's store",
    'server/wallets/wallets.ts',
    from('../sessions/store.ts'),
    /server\/sessions\/sessions\.ts/,
  ],
  [
    "a login method's inside",
    'server/users/users.ts',
    from('../login/email/code.ts'),
    /server\/login\/email\/email\.ts/,
  ],
  [
    'one login method inside another',
    'server/login/sms/sms.ts',
    from('../email/code.ts'),
    /area login\/email/,
  ],
  ['React in a flow', 'dialog-app/flows/login.ts', from('react'), /starts without react/],
  [
    "React's runtime in a session",
    'dialog-app/session/a.ts',
    from('react/jsx-runtime'),
    /starts without react/,
  ],
  ['React atoms in the api', 'dialog-app/api/a.ts', from('jotai/react'), /starts without jotai\/react/],
  ['a screen in a flow', 'dialog-app/flows/login.ts', from('../screens/landing.tsx'), /knows no screens/],
  ['a component in the wallet bridge', 'dialog-app/wallet/a.ts', from('../ui/button.tsx'), /knows no ui/],
]

describe('refused', () => {
  test.each(refused)('%s', (_what, path, code, reason) => {
    expect(reasons(path, code)).toEqual([expect.stringMatching(reason)])
  })
})

const allowed: readonly (readonly [what: string, path: string, code: string])[] = [
  ['protocol through a door', 'loader/index.ts', from('@latchkey/protocol/host')],
  ['the loader in the demo', 'demo/page.ts', from('@latchkey/loader')],
  ["an area's door", 'server/wallets/wallets.ts', from('../sessions/sessions.ts')],
  ['the inside of the own area', 'server/wallets/routes.ts', from('./store.ts')],
  ['a shared folder of the server', 'server/wallets/store.ts', from('../db/transaction.ts')],
  ['what all login methods share', 'server/login/email/email.ts', from('../budget.ts')],
  ['routes where the server is put together', 'server/main.ts', from('./wallets/routes.ts')],
  ['a store of another area in a test', 'server/wallets/wallets.test.ts', from('../sessions/store.ts')],
  ['React in a screen', 'dialog-app/screens/landing.tsx', from('react')],
  ['atoms without React in the core', 'dialog-app/session/a.ts', from('jotai/vanilla')],
  ['a flow in a screen', 'dialog-app/screens/landing.tsx', from('../flows/login.ts')],
  ['a module of Node', 'server/a.ts', from('node:fs')],
  ['the tests\u2019 own tools in a test', 'server/a.test.ts', from('vitest')],
  [
    'a document beside the packages',
    'protocol/doc/write.ts',
    `new URL('../../docs/protocol.md', import.meta.url)`,
  ],
  ["a package's build", 'server/config.ts', `new URL('../dialog-app/dist', import.meta.url)`],
  ['a program that the browser tests start', 'e2e/a.ts', `new URL('../server/main.ts', import.meta.url)`],
  ['a worker of the own package', 'wallet-frame/a.ts', from('./vault/vault.ts?worker&url')],
]

describe('allowed', () => {
  test.each(allowed)('%s', (_what, path, code) => {
    expect(reasons(path, code)).toEqual([])
  })
})

test('imports are read from the syntax, not from text that looks like one', () => {
  const code = `
    // import x from 'comment'
    const text = "import y from 'string'"
    import z, { type T } from 'real'
    export { a } from 'again'
    export const b = 1
  `
  expect(importsOf('loader/a.ts', code)).toEqual(['real', 'again'])
})

test('a source that does not parse is an error, not a pass', () => {
  expect(() => importsOf('loader/a.ts', 'import {')).toThrow(/loader\/a\.ts/)
})
