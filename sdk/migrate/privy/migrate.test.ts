import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { linkTo } from './guide.ts'
import { migrate } from './migrate.ts'

const code = (source: string, project = {}, path = 'app.tsx') => migrate(path, source, project)?.code
const notes = (source: string, project = {}) =>
  migrate('app.tsx', source, project)?.notes.map(({ message }) => message)
const from = (names: string) => `import { ${names} } from '@privy-io/react-auth'\n`
const to = (names: string) => `import { ${names} } from '@latchkey/loader/react'\n`

test('every link points to a heading of the guide', () => {
  const guide = readFileSync(new URL('../../../docs/coming-from-privy.md', import.meta.url), 'utf8')
  const anchors = [...guide.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
    title.toLowerCase().replaceAll(' ', '-'),
  )
  for (const heading of ['provider', 'user', 'wallets', 'backend', 'impossible'] as const) {
    expect(anchors).toContain(linkTo(heading).split('#')[1])
  }
})

test('a file that does not parse returns undefined', () => {
  expect(migrate('app.tsx', `${from('usePrivy')}const = {`)).toBeUndefined()
})

test('a file without Privy is not parsed, not even invalid code', () => {
  expect(code('const = {')).toBe('const = {')
})

test('a type assertion parses in a file without JSX', () => {
  const source = (hook: string) => `const found = <string>window.name; ${hook}()\n`
  expect(code(from('usePrivy') + source('usePrivy'), {}, 'app.ts')).toBe(
    to('useLatchkey') + source('useLatchkey'),
  )
})

test('JavaScript is migrated without type annotations', () => {
  const source = `import { PrivyProvider } from '@privy-io/react-auth'
export const App = () => <PrivyProvider appId="1" />
`
  expect(
    code(source, { bundler: 'next' }, 'app.jsx'),
  ).toBe(`import { LatchkeyProvider } from '@latchkey/loader/react'
export const App = () => <LatchkeyProvider appId="1" dialogUrl={process.env.NEXT_PUBLIC_LATCHKEY_DIALOG_URL} />
`)
})

test('the dialog URL is read like other variables of the file, otherwise as the bundler requires', () => {
  const source = (expression: string) =>
    `${from('PrivyProvider')}export const app = <PrivyProvider appId={${expression}} />`
  expect(code(source('import.meta.env.VITE_ID'), { bundler: 'next' })).toContain(
    'dialogUrl={import.meta.env.VITE_LATCHKEY_DIALOG_URL}',
  )
  expect(code(source('id'), { bundler: 'create-react-app' })).toContain(
    'dialogUrl={process.env.REACT_APP_LATCHKEY_DIALOG_URL as string}',
  )
  expect(code(source('id'))).toContain('dialogUrl={process.env.LATCHKEY_DIALOG_URL as string}')
})

test('an ambiguous signMessage call is left while the version is unknown', () => {
  const source = `const { signMessage } = useSignMessage()
export const sign = async (message: string) => await signMessage(message)
`
  expect(code(from('useSignMessage') + source)).toBe(to('useSignMessage') + source)
  expect(notes(from('useSignMessage') + source)).toEqual([
    '`signMessage()` takes the message itself, and resolves with `{ signature }`',
  ])
  expect(code(from('useSignMessage') + source, { privyMajor: 1 })).toContain(
    '(await signMessage(message)).signature',
  )
})

test('a callback with one parameter is left while the version is unknown', () => {
  const source = 'useLogin({ onComplete: (given) => console.log(given) })\n'
  expect(code(from('useLogin') + source)).toBe(to('useLogin') + source)
  expect(notes(from('useLogin') + source)).toHaveLength(1)
  expect(notes(from('useLogin') + source, { privyMajor: 3 })).toEqual([])
})

test('a callback that reads properties of its one parameter is already correct', () => {
  const source = 'useLogin({ onComplete: (given) => console.log(given.user.id, given.isNewUser) })\n'
  expect(code(from('useLogin') + source)).toBe(to('useLogin') + source)
  expect(notes(from('useLogin') + source)).toEqual([])
})

test('a callback of version 1 is found by its name, unless it is used twice', () => {
  const source = (
    parameters: string,
    more = '',
  ) => `const done = (${parameters}) => console.log(user, isNewUser)
useLogin({ onComplete: done })
${more}`
  expect(code(from('useLogin') + source('user, isNewUser'))).toBe(
    to('useLogin') + source('{ user, isNewUser }'),
  )
  const twice = source('user, isNewUser', 'done(1, true)\n')
  expect(code(from('useLogin') + twice)).toBe(to('useLogin') + twice)
})

test('a wallet is followed through names, lists and loops', () => {
  const source = (of: string, name: string) => `const { wallets = [] } = useWallets()
const own = [...wallets].filter(Boolean)
for (const each of own) if (each.${of} === '${name}') console.log(each)
const [first] = own
console.log(first!.${of} !== '${name}', (wallets.at(-1) ?? first)?.${of} == '${name}')
const { ${of}: kind } = own[0]
`
  const expected = source('kind', 'embedded').replace('{ kind: kind }', '{ walletClientType: kind }')
  expect(code(from('useWallets') + source('walletClientType', 'privy'))).toBe(to('useWallets') + expected)
})

test('a list that does not come from the hook is left, with a note', () => {
  const source = `const embedded = (wallets: any[]) => wallets.find((each) => each.walletClientType === 'privy')\n`
  expect(code(source)).toBe(source)
  expect(notes(source)).toHaveLength(1)
})

test('a type with the name of an import keeps its name', () => {
  const source = `import type { User } from '@privy-io/react-auth'
import type { ConnectedWallet } from '@privy-io/react-auth'
type EthereumWallet = { own: true }
export type Both = [User, ConnectedWallet, EthereumWallet]
`
  expect(code(source)).toBe(`import type { User } from '@latchkey/loader'
import type { EthereumWallet as ConnectedWallet } from '@latchkey/loader/react'
type EthereumWallet = { own: true }
export type Both = [User, ConnectedWallet, EthereumWallet]
`)
})

test('shorthand properties are expanded', () => {
  const source = `${from('usePrivy')}export const hooks = { usePrivy }
export { usePrivy }
`
  expect(code(source)).toBe(`${to('useLatchkey')}export const hooks = { usePrivy: useLatchkey }
export { useLatchkey as usePrivy }
`)
})

test('namespace imports, require calls and mocks are left, with a note', () => {
  const source = `import * as privy from '@privy-io/react-auth'
const later = import('@privy-io/react-auth')
const old = require('@privy-io/react-auth')
vi.mock('@privy-io/react-auth', () => ({ usePrivy: () => ({}) }))
`
  expect(code(source)).toBe(source)
  expect(notes(source)).toHaveLength(4)
})

test('a configuration from another file is left, with a note', () => {
  const source = `${from('PrivyProvider')}import { config } from './config'
export const app = <PrivyProvider appId="1" dialogUrl="2" config={config} />
`
  expect(code(source)).toContain('config={config}')
  expect(notes(source)).toEqual([
    'The configuration comes from elsewhere: see for yourself that its keys fit',
  ])
})

test('removing a range drops the edits inside it', () => {
  const source = `import { useSignMessage, useWallets, usePrivy } from '@privy-io/react-auth'
const { wallets } = useWallets()
const { signMessage } = useSignMessage()
signMessage({ message: 'Hello' }, { address: wallets.find((each) => each.walletClientType === 'privy')?.address })
export const button = <button onClick={usePrivy().login} />
`
  expect(code(source)).toBe(`import { useSignMessage, useWallets, useLatchkey } from '@latchkey/loader/react'
const { wallets } = useWallets()
const { signMessage } = useSignMessage()
signMessage('Hello')
export const button = <button onClick={() => useLatchkey().login()} />
`)
})

test('two imports with the same Latchkey name get different local names', () => {
  const source = `import { ConnectedSolanaWallet, ConnectedStandardSolanaWallet } from '@privy-io/react-auth/solana'
export type Both = [ConnectedSolanaWallet, ConnectedStandardSolanaWallet]
`
  expect(
    code(source),
  ).toBe(`import { SolanaWallet, SolanaWallet as ConnectedStandardSolanaWallet } from '@latchkey/loader/react'
export type Both = [SolanaWallet, ConnectedStandardSolanaWallet]
`)
})

test('a UserPill with other props is noted', () => {
  const source = `import { UserPill } from '@privy-io/react-auth/ui'
export const pills = [<UserPill />, <UserPill className="a" />, <UserPill size={40} />]
`
  expect(notes(source)).toEqual(['`UserPill` takes `className`, `loginLabel` and `logoutLabel`'])
})

test('a moved import joins an existing one, and a multiline import stays multiline', () => {
  const source = `import {
  http,
} from 'wagmi'
import { createConfig } from '@privy-io/wagmi'
import {
  usePrivy,
  useSignMessage,
  useSendTransaction,
  getAccessToken,
} from '@privy-io/react-auth'
import { useWallets } from '@privy-io/react-auth/solana'
`
  expect(code(source)).toBe(`import {
  http,
  createConfig,
} from 'wagmi'
import {
  useLatchkey,
  useSignMessage,
  useSendTransaction,
  useSolanaWallets,
} from '@latchkey/loader/react'
import { getAccessToken } from '@privy-io/react-auth'
`)
})

test('an import that stays is noted with a replacement', () => {
  const source = `import { useUnlinkEmail, useLoginWithPasskey, useNothing } from '@privy-io/react-auth'
import { useCreateWallet } from '@privy-io/react-auth/solana'
import { usePrivy } from '@privy-io/expo'
import { PrivyClient } from '@privy-io/server-auth'
`
  expect(code(source)).toBe(source)
  expect(notes(source)).toEqual([
    '`useUnlinkEmail`: Calls that unlink are in `useLatchkey()`',
    '`useLoginWithPasskey`: Its user logs in by the dialog, which `login()` opens',
    '`useNothing` has no counterpart, so its import stays',
    '`useCreateWallet`: `createWallet()` is in `useSolanaWallets()`',
    '`usePrivy`: Latchkey is for pages in a browser, and has nothing for React Native',
    '`PrivyClient`: A backend verifies tokens by `@latchkey/server`',
  ])
})

test('a callback that is written as a method is migrated', () => {
  const source = (parameters: string) => `useLogin({
  async onComplete(${parameters}) {
    console.log(user, isNewUser)
  },
  onError() {},
})
`
  expect(code(from('useLogin') + source('user, isNewUser'))).toBe(
    to('useLogin') + source('{ user, isNewUser }'),
  )
  expect(notes(from('useLogin') + source('{ user, isNewUser }'))).toEqual([])
})

test('an exported provider keeps its name, with a note', () => {
  const source = (module: string, name: string) =>
    `export const PrivyProvider = lazy(() => import('${module}').then((all) => ({ default: all.${name} })))\n`
  const before = source('@privy-io/react-auth', 'PrivyProvider')
  expect(code(before)).toBe(source('@latchkey/loader/react', 'LatchkeyProvider'))
  expect(notes(before)).toHaveLength(1)
})
