import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../testing/clock.ts'
import { makeAuthAnswer, walletUser } from '../testing/fixtures.ts'
import { makeWorld, watch } from '../testing/world.ts'
import { defineCapability } from './capability.ts'
import type { AfterLoginStep, OfferedMethod } from './login.ts'

const gone = new LatchkeyError('call_cancelled', 'The host took the call back')

describe('a call whose caller is gone', () => {
  test('leaves no login on the screen', async () => {
    const world = await makeWorld({})
    const caller = new AbortController()
    const login = watch(world.login(caller))
    await settle()
    expect(world.screen()).toBe('LANDING')
    caller.abort(gone)
    await world.clock.advance(200)
    expect(login.error).toBe(gone)
    expect(world.frame).toEqual(['show', 'hide'])
  })

  test('leaves the login to another who asked for it too', async () => {
    const world = await makeWorld({})
    const caller = new AbortController()
    watch(world.login(caller))
    const other = watch(world.login())
    await settle()
    caller.abort(gone)
    await world.clock.advance(200)
    expect(world.screen()).toBe('LANDING')
    expect(other.settled).toBe(false)
  })

  test('leaves no request to sign', async () => {
    const world = await makeWorld({})
    world.session.accept(makeAuthAnswer({ user: walletUser }))
    const caller = new AbortController()
    const signing = watch(world.signMessage({ message: 'Hello' }, caller))
    await settle()
    expect(world.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
    caller.abort(gone)
    await world.clock.advance(200)
    expect(signing.error).toBe(gone)
    expect(world.screen()).toBeUndefined()
  })

  test('shows nothing when its turn comes', async () => {
    const world = await makeWorld({})
    world.session.accept(makeAuthAnswer({ user: walletUser }))
    watch(world.signMessage({ message: 'First' }))
    const caller = new AbortController()
    const second = watch(world.signMessage({ message: 'Second' }, caller))
    await settle()
    caller.abort(gone)
    await world.close()
    await world.clock.advance(200)
    expect(second.error).toBe(gone)
    expect(world.frame).toEqual(['show', 'hide'])
  })
})

test('what the server would take for a proof is refused before anything is shown', async () => {
  const world = await makeWorld({})
  world.session.accept(makeAuthAnswer({ user: walletUser }))
  const signing = watch(world.signMessage({ message: 'latchkey/wallet-proof/1\n…' }))
  await settle()
  expect(signing.error).toMatchObject({ code: 'invalid_message' })
  expect(world.views).toEqual([])
})

test('a wallet whose user came with it is not asked for again', async () => {
  const world = await makeWorld({
    wallet: {
      create: async () => {
        world.session.replaceUser(walletUser)
        return '0x'
      },
    },
  })
  world.session.accept(makeAuthAnswer())
  const { wallet } = await world.more('createWallet', {})
  expect(walletUser.linkedAccounts).toContainEqual(wallet)
  expect(world.transport.calls('me')).toEqual([])
})

test('code of methods that the app has not on is not loaded ahead', async () => {
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
  await makeWorld({
    app: { smsAuth: false, googleOauth: true, appleOauth: false },
    capabilities: [bringing('one of two', ['appleOauth', 'googleOauth']), bringing('none', ['smsAuth'])],
  })
  expect(loaded).toEqual(['one of two', 'one of two: googleOauth', 'one of two: entry'])
})

describe('what a login left undone', () => {
  const onLogin = { embeddedWallets: { createOnLogin: 'all-users' } } as const

  test('is made up for at the next visit, without a card', async () => {
    const world = await makeWorld({ config: onLogin, answers: { me: () => walletUser } })
    world.session.accept(makeAuthAnswer())
    await world.dialog.catchUp()
    expect(world.wallet.log).toContain('create')
    expect(world.session.state()).toMatchObject({ user: walletUser })
    expect(world.frame).toEqual([])
    await world.dialog.catchUp()
    expect(world.wallet.log.filter((entry) => entry === 'create')).toHaveLength(1)
  })

  test('is left where the host wants none, the terms are not accepted, or nobody is logged in', async () => {
    const settings = [
      { embeddedWallets: { createOnLogin: 'off' } },
      { ...onLogin, legal: { requireUsersAcceptTerms: true } },
    ] as const
    for (const config of settings) {
      const world = await makeWorld({ config })
      world.session.accept(makeAuthAnswer())
      await world.dialog.catchUp()
      expect(world.wallet.log).not.toContain('create')
    }
    const nobody = await makeWorld({ config: onLogin })
    await nobody.dialog.catchUp()
    expect(nobody.wallet.log).toEqual([])
  })

  test('that needs the user waits for their login, and so does what comes after it', async () => {
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
    const world = await makeWorld({ capabilities: [capability] })
    world.session.accept(makeAuthAnswer())
    await world.dialog.catchUp()
    expect(log).toEqual(['first'])
  })
})
