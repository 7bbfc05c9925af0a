import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { makeFixture, watch } from '../testing/fixture.ts'
import { makeAuthAnswer, walletUser } from '../testing/fixtures.ts'
import { defineCapability } from './capability.ts'
import type { AfterLoginStep, OfferedMethod } from './login.ts'

const gone = new LatchkeyError('call_cancelled', 'The host took the call back')

describe('a call that its caller aborted', () => {
  test('closes the login of an aborted caller', async () => {
    const fixture = await makeFixture({})
    const caller = new AbortController()
    const login = watch(fixture.login(caller))
    await settle()
    expect(fixture.screen()).toBe('LANDING')
    caller.abort(gone)
    await fixture.clock.advance(200)
    expect(login.error).toBe(gone)
    expect(fixture.frame).toEqual(['show', 'hide'])
  })

  test('keeps the login open for a second caller when the first one aborts', async () => {
    const fixture = await makeFixture({})
    const caller = new AbortController()
    watch(fixture.login(caller))
    const other = watch(fixture.login())
    await settle()
    caller.abort(gone)
    await fixture.clock.advance(200)
    expect(fixture.screen()).toBe('LANDING')
    expect(other.settled).toBe(false)
  })

  test('closes the signature request of an aborted caller', async () => {
    const fixture = await makeFixture({})
    fixture.session.accept(makeAuthAnswer({ user: walletUser }))
    const caller = new AbortController()
    const signing = watch(fixture.signMessage({ message: 'Hello' }, caller))
    await settle()
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
    caller.abort(gone)
    await fixture.clock.advance(200)
    expect(signing.error).toBe(gone)
    expect(fixture.screen()).toBeUndefined()
  })

  test('never shows a waiting request of an aborted caller', async () => {
    const fixture = await makeFixture({})
    fixture.session.accept(makeAuthAnswer({ user: walletUser }))
    watch(fixture.signMessage({ message: 'First' }))
    const caller = new AbortController()
    const second = watch(fixture.signMessage({ message: 'Second' }, caller))
    await settle()
    caller.abort(gone)
    await fixture.close()
    await fixture.clock.advance(200)
    expect(second.error).toBe(gone)
    expect(fixture.frame).toEqual(['show', 'hide'])
  })
})

test('rejects a message with the prefix of a wallet proof before the dialog opens', async () => {
  const fixture = await makeFixture({})
  fixture.session.accept(makeAuthAnswer({ user: walletUser }))
  const signing = watch(fixture.signMessage({ message: 'latchkey/wallet-proof/1\n…' }))
  await settle()
  expect(signing.error).toMatchObject({ code: 'invalid_message' })
  expect(fixture.views).toEqual([])
})

test('createWallet finds the wallet in the updated user without another request', async () => {
  const fixture = await makeFixture({
    wallet: {
      create: async () => {
        fixture.session.replaceUser(walletUser)
        return '0x'
      },
    },
  })
  fixture.session.accept(makeAuthAnswer())
  const { wallet } = await fixture.more('createWallet', {})
  expect(walletUser.linkedAccounts).toContainEqual(wallet)
  expect(fixture.transport.calls('me')).toEqual([])
})

test('preloads no code of login methods that the app disables', async () => {
  const loaded: string[] = []
  const bringing = (name: string, settings: readonly OfferedMethod['appSetting'][]) =>
    defineCapability({
      name,
      loadedFor: 'visitors',
      bring: () => ({
        load: async () => loaded.push(name),
        login: settings.map((appSetting) => ({
          method: 'google',
          appSetting,
          shows: 'row',
          load: async () => {
            loaded.push(`${name}: ${appSetting}`)
            return {
              account: { type: 'google_oauth', idOf: () => undefined, unlink: () => Promise.reject(gone) },
              loadEntry: async () => loaded.push(`${name}: entry`),
              start: () => Promise.reject(gone),
            }
          },
        })),
      }),
    })
  await makeFixture({
    app: { smsAuth: false, googleOauth: true, appleOauth: false },
    capabilities: [bringing('one of two', ['appleOauth', 'googleOauth']), bringing('none', ['smsAuth'])],
  })
  expect(loaded).toEqual(['one of two', 'one of two: googleOauth', 'one of two: entry'])
})

describe('post-login steps that were left undone', () => {
  const onLogin = { embeddedWallets: { createOnLogin: 'all-users' } } as const

  test('creates a missing wallet at the next visit without opening the card', async () => {
    const fixture = await makeFixture({ config: onLogin, answers: { me: () => walletUser } })
    fixture.session.accept(makeAuthAnswer())
    await fixture.dialog.catchUp()
    expect(fixture.wallet.log).toContain('create')
    expect(fixture.session.state()).toMatchObject({ user: walletUser })
    expect(fixture.frame).toEqual([])
    await fixture.dialog.catchUp()
    expect(fixture.wallet.log.filter((entry) => entry === 'create')).toHaveLength(1)
  })

  test('creates no wallet if the host disables it, terms are not accepted, or no user is logged in', async () => {
    const settings = [
      { embeddedWallets: { createOnLogin: 'off' } },
      { ...onLogin, legal: { requireUsersAcceptTerms: true } },
    ] as const
    for (const config of settings) {
      const fixture = await makeFixture({ config })
      fixture.session.accept(makeAuthAnswer())
      await fixture.dialog.catchUp()
      expect(fixture.wallet.log).not.toContain('create')
    }
    const nobody = await makeFixture({ config: onLogin })
    await nobody.dialog.catchUp()
    expect(nobody.wallet.log).toEqual([])
  })

  test('stops before the first step that needs the user', async () => {
    const log: string[] = []
    const step = (name: string, catchUp?: () => Promise<unknown>): AfterLoginStep => ({
      isDue: () => true,
      run: () => Promise.reject(new LatchkeyError('error', name)),
      ...(catchUp && { catchUp }),
    })
    const steps = [
      step('first', async () => log.push('first')),
      step('needs the user'),
      step('last', async () => log.push('last')),
    ]
    const capability = defineCapability({
      name: 'steps',
      loadedFor: 'nobody',
      bring: () => ({ afterLogin: steps }),
    })
    const fixture = await makeFixture({ capabilities: [capability] })
    fixture.session.accept(makeAuthAnswer())
    await fixture.dialog.catchUp()
    expect(log).toEqual(['first'])
  })
})
