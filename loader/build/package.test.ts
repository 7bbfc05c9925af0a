import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleModules } from './bundle.ts'
import { writeDeclarations } from './declarations.ts'
import { bundleScripts } from './scripts.ts'

const loader = join(import.meta.dirname, '..')
const run = (args: string[], cwd: string) => execFileSync('npm', args, { cwd, stdio: 'pipe' })
const bin = join(loader, '../node_modules/.bin')
const place = mkdtempSync(join(tmpdir(), 'latchkey-package-'))
const stranger = join(place, 'stranger')

/** Installs the package like a user of npm: from its tarball, outside this repository. */
beforeAll(async () => {
  const source = join(place, 'loader')
  mkdirSync(join(source, 'dist'), { recursive: true })
  for (const name of ['package.json', 'README.md']) copyFileSync(join(loader, name), join(source, name))
  const { script, more } = await bundleScripts()
  const files = {
    'loader.js': script,
    'loader-more.js': more,
    ...(await bundleModules()),
  }
  for (const [name, code] of Object.entries(files)) writeFileSync(join(source, 'dist', name), code)
  writeDeclarations(join(source, 'dist'))
  symlinkSync(join(loader, '../scripts'), join(place, 'scripts'))
  run(['pack', '--pack-destination', place], source)
  const tarball = readdirSync(place).find((name) => name.endsWith('.tgz')) ?? expect.unreachable()
  mkdirSync(stranger)
  writeFileSync(join(stranger, 'package.json'), '{ "private": true, "type": "module" }')
  run(['install', '--offline', '--no-audit', '--no-fund', join(place, tarball)], stranger)
}, 120_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

const compile = (folder: string, options: object, files: Readonly<Record<string, string>>) => {
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options))
  try {
    execFileSync(join(bin, 'tsc'), ['-p', folder, '--pretty', 'false'], { stdio: 'pipe', encoding: 'utf8' })
    return ''
  } catch (error) {
    return String(Reflect.get(Object(error), 'stdout'))
  }
}

it('npm refuses to pack a build that lacks a declaration', () => {
  const broken = join(place, 'broken')
  cpSync(join(place, 'loader'), broken, { recursive: true })
  rmSync(join(broken, 'dist/published.d.ts'))
  expect(() => run(['pack', '--pack-destination', broken], broken)).toThrow(
    'package_incomplete: the build lacks dist/published.d.ts',
  )
  expect(readdirSync(broken).filter((name) => name.endsWith('.tgz'))).toEqual([])
})

const runByNode = (program: string) =>
  execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: stranger,
    encoding: 'utf8',
  }).trim()

describe('the installed package', () => {
  it('has no dependencies', () => {
    expect(readdirSync(join(stranger, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@latchkey',
    ])
    expect(readdirSync(join(stranger, 'node_modules/@latchkey'))).toEqual(['loader'])
  })

  it.each(['bundler', 'nodenext'])(
    'compiles strictly, declarations included, with %s resolution',
    (resolution) => {
      const host = `
      import { createLatchkey, type ErrorCode, type Latchkey, LatchkeyError, type User } from '@latchkey/loader'
      import type {} from '@latchkey/loader/script'
      const latchkey: Latchkey = createLatchkey({ appId: 'a', dialogUrl: 'b', config: { appearance: { theme: 'dark' } }, preload: 'never' })
      export async function logIn(): Promise<string | undefined> {
        try {
          const { user, isNewUser } = await latchkey.login()
          const known: User = user
          const emails = known.linkedAccounts.flatMap((account) => (account.type === 'email' ? [account.address] : []))
          return isNewUser ? emails[0] : user.wallet?.address
        } catch (error) {
          if (error instanceof LatchkeyError && error.code === ('exited_auth_flow' satisfies ErrorCode)) return undefined
          throw error
        }
      }
      latchkey.on('token', (event) => console.log(event.type === 'granted' ? event.token : 'removed'))
      const { signal } = new AbortController()
      latchkey.login({ signal }).then(({ loginMethod }) => loginMethod === 'email')
      latchkey.forkSession().then(({ code, expiresInSeconds }) => code.slice(expiresInSeconds))
      window.latchkey?.signMessage('hello', { title: 'Sign', signal }).then(({ signature }) => signature.length)
      export const early: boolean = window.latchkey === undefined
      // @ts-expect-error it may not be loaded yet
      window.latchkey.login()
      // @ts-expect-error unknown login method
      createLatchkey({ appId: 'a', config: { loginMethods: ['fax'] } })
      // @ts-expect-error unknown event
      latchkey.on('lunch', () => {})
    `
      const compilerOptions = {
        target: 'es2022',
        module: resolution === 'bundler' ? 'esnext' : 'nodenext',
        moduleResolution: resolution,
        lib: ['es2022', 'dom'],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
      }
      const page = `
      import type {} from '@latchkey/loader/script'
      latchkey.login().then(({ user }) => console.log(user.email?.address))
      latchkey.on('logout', () => {})
      // @ts-expect-error unknown call
      latchkey.fly()
    `
      const files = { 'host.ts': host, 'page.ts': page }
      expect(compile(stranger, { compilerOptions, files: Object.keys(files) }, files)).toBe('')
    },
    60_000,
  )

  it('imports in Node without a browser, and its calls reject with a code', () => {
    const program = `
      const { createLatchkey, LatchkeyError } = await import('@latchkey/loader')
      const latchkey = createLatchkey({ appId: 'lkdemo0000000000000000001', dialogUrl: 'https://dialog.example', preload: 'now' })
      const error = await latchkey.getUser().catch((error) => error)
      console.log(error instanceof LatchkeyError, error.code, typeof window)
    `
    expect(runByNode(program)).toBe('true not_supported undefined')
  })

  it('has a React module with "use client" that only depends on React', () => {
    const installed = join(stranger, 'node_modules/@latchkey/loader/dist')
    const react = readFileSync(join(installed, 'react.js'), 'utf8')
    expect(react.startsWith("'use client';")).toBe(true)
    expect(react).not.toMatch(/\b(?:Buffer|process|global)\b/)
    const { peerDependencies, peerDependenciesMeta, dependencies } = JSON.parse(
      readFileSync(join(installed, '../package.json'), 'utf8'),
    )
    expect(peerDependencies).toEqual({ react: '>=18', viem: '2.x', wagmi: '>=2.9.0 <4' })
    expect(peerDependenciesMeta).toEqual({
      react: { optional: true },
      viem: { optional: true },
      wagmi: { optional: true },
    })
    expect(dependencies).toBeUndefined()
  })

  it('has a state module that works without React', () => {
    const program = `
      const { createLatchkey } = await import('@latchkey/loader')
      const { stateOf } = await import('@latchkey/loader/state')
      const latchkey = createLatchkey({ appId: 'lkdemo0000000000000000001', dialogUrl: 'https://dialog.example' })
      console.log(stateOf(latchkey).getSnapshot().status)
    `
    expect(runByNode(program)).toBe('loading')
  })

  it('has a wagmi module that only depends on wagmi and viem', () => {
    const code = readFileSync(join(stranger, 'node_modules/@latchkey/loader/dist/wagmi.js'), 'utf8')
    const imported = [...code.matchAll(/from ?"([^"]+)"/g)].map(([, specifier]) => specifier)
    expect(new Set(imported)).toEqual(new Set(['viem', 'wagmi', './index.js']))
    expect(code).not.toMatch(/\b(?:Buffer|process|global)\b/)
  })

  it.each(['wagmi', 'wagmi-core-2'])(
    'types its connector for a page with %s',
    (version) => {
      const folder = join(stranger, `${version}-page`)
      mkdirSync(folder)
      const own = join(folder, 'node_modules')
      mkdirSync(join(own, '@tanstack'), { recursive: true })
      mkdirSync(join(own, '@types'))
      for (const name of ['react', '@types/react', 'csstype', 'viem', '@tanstack/react-query', 'mipd'])
        symlinkSync(join(loader, '../node_modules', name), join(own, name))
      symlinkSync(join(loader, '../node_modules', version), join(own, 'wagmi'))
      cpSync(join(stranger, 'node_modules/@latchkey'), join(own, '@latchkey'), { recursive: true })
      const page = `
      import { latchkeyConnector, latchkeyWallet } from '@latchkey/loader/wagmi'
      import { createConfig, http } from 'wagmi'
      import { mainnet } from 'wagmi/chains'
      export const config = createConfig({
        chains: [mainnet],
        connectors: [latchkeyConnector({ appId: 'a', dialogUrl: 'b' }), latchkeyWallet({ appId: 'a' })().createConnector({})],
        transports: { [mainnet.id]: http() },
      })
      // @ts-expect-error unknown option
      latchkeyConnector({ appId: 'a', colour: 'red' })
    `
      const compilerOptions = {
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['es2022', 'dom'],
        types: [],
        strict: true,
        skipLibCheck: true,
        preserveSymlinks: true,
        noEmit: true,
      }
      expect(compile(folder, { compilerOptions, files: ['page.ts'] }, { 'page.ts': page })).toBe('')
    },
    60_000,
  )

  it('types its hooks for a page with React', () => {
    const folder = join(stranger, 'react-page')
    mkdirSync(folder)
    mkdirSync(join(stranger, 'node_modules/@types'))
    for (const name of ['react', '@types/react', 'csstype'])
      symlinkSync(join(loader, '../node_modules', name), join(stranger, 'node_modules', name))
    const page = `
      import { LatchkeyProvider, Show, useWallets } from '@latchkey/loader/react'
      function Wallets() {
        const { wallets, ready } = useWallets()
        return <p>{ready && wallets.map(({ address }) => address).join()}</p>
      }
      export const page = <LatchkeyProvider appId="a"><Show when="logged-in"><Wallets /></Show></LatchkeyProvider>
    `
    const compilerOptions = {
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom'],
      types: [],
      jsx: 'react-jsx',
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    }
    expect(compile(folder, { compilerOptions, files: ['page.tsx'] }, { 'page.tsx': page })).toBe('')
  }, 60_000)

  it('contains exactly the files that its first file imports', () => {
    const installed = join(stranger, 'node_modules/@latchkey/loader/dist')
    const askedBy = (name: string) =>
      [...readFileSync(join(installed, name), 'utf8').matchAll(/(?:import|from)\s*\(?["'](.*?)["']/g)].map(
        ([, specifier]) => specifier,
      )
    expect(askedBy('index.js')).toEqual(['./errors.js', './more.js'])
    expect(askedBy('more.js')).toEqual(['./errors.js'])
    expect(askedBy('errors.js')).toEqual([])
    expect(askedBy('state.js')).toEqual([])
    // Its errors are instances of the class that a host imports.
    expect(askedBy('fake.js')).toEqual(['./errors.js'])
    expect(askedBy('react.js')).toEqual(['react', './index.js'])
    expect(readdirSync(installed)).toEqual(expect.arrayContaining(['errors.js', 'more.js']))
  })

  it('creates errors of one class in both of its files', () => {
    const program = `
      const { LatchkeyError } = await import('@latchkey/loader')
      const { createCall } = await import('./node_modules/@latchkey/loader/dist/more.js')
      try {
        createCall('reauthorize', [])
      } catch (error) {
        console.log(error instanceof LatchkeyError, error.code)
      }
    `
    expect(runByNode(program)).toBe('true invalid_data')
  })

  it('declares exactly the types of the protocol', () => {
    const folder = join(place, 'types')
    mkdirSync(folder)
    symlinkSync(join(loader, '../node_modules'), join(folder, 'node_modules'))
    const names = [
      'ClientConfig',
      'ErrorCode',
      'FarcasterSigner',
      'ForkedSession',
      'Funded',
      'FundingConfig',
      'LinkedAccount',
      'LoginMethod',
      'LoginResult',
      'SignedMessage',
      'SignUi',
      'User',
      'WalletAccount',
    ]
    const check = `
      import type * as Ours from '${relative(folder, join(loader, 'types/published.ts'))}'
      import type * as Printed from '../loader/dist/published.js'
      type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
      ${names.map((name) => `export const same${name}: Same<Ours.${name}, Printed.${name}> = true`).join('\n')}
      export const error: Same<Ours.LatchkeyError, Printed.LatchkeyError> = true
    `
    const options = {
      extends: join(loader, '../tsconfig.json'),
      compilerOptions: { types: [] },
      files: ['check.ts'],
      include: [],
    }
    expect(compile(folder, options, { 'check.ts': check })).toBe('')
  }, 60_000)
})
