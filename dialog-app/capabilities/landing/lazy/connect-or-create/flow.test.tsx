import type { UserRecord } from '@latchkey/protocol'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { HostPage } from '../../../../browser/ports.ts'
import { settle } from '../../../../testing/clock.ts'
import { type FixtureOptions, makeFixture, makeTab, watch } from '../../../../testing/fixture.ts'
import {
  makeAuthAnswer,
  solanaAccount,
  visitorUser,
  walletAddress,
  walletUser,
} from '../../../../testing/fixtures.ts'
import { renderDialog, submitEmail } from '../../../../testing/page.tsx'

// Wallets are told where they are asked from.
beforeEach(() => void vi.stubGlobal('location', { href: 'http://dialog.localhost:4000/apps/app/dialog' }))
afterEach(() => vi.unstubAllGlobals())

const email = 'ada@example.org'
const ownAddress = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
const external = {
  type: 'wallet',
  address: ownAddress,
  chainType: 'ethereum',
  walletClient: 'unknown',
  ...times,
} as const
const siweUser: UserRecord = { ...visitorUser, linkedAccounts: [external] }
const embedded = {
  type: 'wallet',
  address: walletAddress,
  connectorType: 'embedded',
  walletClientType: 'latchkey',
}

/** One wallet, which connects whenever it is asked. */
const page: HostPage = {
  findWallets: async () => ({ wallets: [{ id: 'one', name: 'MetaMask', rdns: 'io.metamask' }] }),
  request: async ({ method }) => ({ result: method === 'eth_chainId' ? '0x1' : [ownAddress] }),
}

async function open({ user, ...options }: Partial<FixtureOptions> & { user?: UserRecord } = {}) {
  let present = visitorUser
  const fixture = await makeFixture({
    page,
    answers: {
      sendEmailCode: () => ({ success: true }),
      loginWithEmailCode: () => makeAuthAnswer(),
      me: () => present,
      logout: () => ({ success: true }),
    },
    wallet: {
      async create() {
        present = walletUser
        return walletAddress
      },
    },
    ...options,
    app: { walletAuth: true, embeddedWalletConfig: { createOnLogin: 'off' }, ...options.app },
  })
  await fixture.session.start()
  if (user) fixture.session.accept(makeAuthAnswer({ user }))
  const asked = watch(fixture.more('connectOrCreateWallet', {}))
  // Code comes with its first use, in the test as well.
  await vi.waitFor(() => expect(asked.settled || fixture.screen() !== undefined).toBe(true), {
    timeout: 20_000,
  })
  return { fixture, asked }
}
type Fixture = Awaited<ReturnType<typeof open>>['fixture']

async function chooseWallet(fixture: Fixture) {
  const dialog = renderDialog(fixture)
  await dialog.press(/^(Continue with a wallet|Other wallets)/)
  await dialog.press(/^MetaMask/)
  await dialog.see('MetaMask is connected to this page.')
  expect(fixture.screen()).toBe('AWAITING_CONNECT_ONLY_CONNECTION')
}
async function logIn(fixture: Fixture) {
  const page = await submitEmail(fixture, email)
  await page.type('Digit 1 of 6', '123456')
}

describe('connectOrCreateWallet for a visitor', () => {
  // spec L2.15
  test.each([
    {},
    { config: { appearance: { loginGroupPriority: 'web3-first' as const } } },
    { config: { loginMethodsAndOrder: { primary: ['wallet', 'sms'], overflow: ['email'] } } },
  ])('offers the choices of LANDING (%j)', async (options) => {
    const more = { ...options, app: { smsAuth: true } }
    const { fixture } = await open(more)
    const page = renderDialog(fixture)
    await settle()
    const here = page.controls()
    expect(fixture.screen()).toBe('CONNECT_OR_CREATE')
    expect(here.length).toBeGreaterThan(2)
    await fixture.close()
    await fixture.clock.advance(200)
    watch(fixture.login())
    await settle()
    expect(fixture.screen()).toBe('LANDING')
    expect(page.controls()).toEqual(here)
  })

  // spec L2.29
  test('returns an external wallet without a login', async () => {
    const { fixture, asked } = await open()
    await chooseWallet(fixture)
    expect(asked.value).toEqual({
      wallet: {
        type: 'wallet',
        address: ownAddress,
        chainType: 'ethereum',
        chainId: 'eip155:1',
        walletClientType: 'metamask',
        connectorType: 'injected',
      },
    })
    expect(fixture.session.state()).toMatchObject({ status: 'visitor' })
    expect(fixture.transport.calls('beginSiwe')).toEqual([])
    await fixture.clock.advance(1_399)
    expect(fixture.view()?.open).toBe(true)
    await fixture.clock.advance(1)
    expect(fixture.view()?.open).toBe(false)
  })

  test('creates a wallet after a login, regardless of createOnLogin', async () => {
    const { fixture, asked } = await open()
    await logIn(fixture)
    expect(asked.value).toMatchObject({ wallet: embedded })
    expect(fixture.session.state()).toMatchObject({ user: { id: visitorUser.id } })
    await fixture.clock.advance(900 + 500)
    await renderDialog(fixture).see('Welcome')
  })

  test('logs the user out and offers a retry if the wallet creation fails', async () => {
    const { fixture, asked } = await open({
      wallet: { create: () => Promise.reject(new Error('No room')) },
    })
    await logIn(fixture)
    const page = renderDialog(fixture)
    await page.see('Failed to create wallet')
    expect(asked.settled).toBe(false)
    await page.press('Try again')
    expect(fixture.screen()).toBe('CONNECT_OR_CREATE')
    await fixture.close()
    expect(asked.error).toMatchObject({ code: 'exited_auth_flow' })
  })

  test('waits for the recovery choice if the app requires one', async () => {
    const { fixture, asked } = await open({
      app: {
        embeddedWalletConfig: {
          requireUserOwnedRecoveryOnCreate: true,
          userOwnedRecoveryOptions: ['user-passcode'],
        },
      },
    })
    await logIn(fixture)
    await fixture.clock.advance(2_500)
    expect(fixture.screen()).toBe('EMBEDDED_WALLET_PASSWORD_CREATE_SCREEN')
    expect(asked.settled).toBe(false)
    await fixture.close()
    expect(asked.settled).toBe(true)
  })

  test('rejects with exited_auth_flow if the visitor closes the card', async () => {
    const { fixture, asked } = await open()
    await fixture.close()
    expect(asked.error).toMatchObject({ code: 'exited_auth_flow' })
  })

  test('creates no wallet if another tab logs in after an external wallet was connected', async () => {
    const made: string[] = []
    const { fixture } = await open({
      wallet: {
        async create() {
          made.push('one')
          return walletAddress
        },
      },
    })
    const other = makeTab(fixture.browser, fixture.transport)
    await chooseWallet(fixture)
    other.session.accept(makeAuthAnswer())
    await settle()
    await fixture.clock.advance(10_000)
    expect(fixture.session.state()).toMatchObject({ status: 'authenticated' })
    expect(made).toEqual([])
    expect(fixture.view()?.open).toBe(false)
  })

  test('creates a wallet after a login in another tab', async () => {
    const { fixture, asked } = await open()
    const other = makeTab(fixture.browser, fixture.transport)
    other.session.accept(makeAuthAnswer())
    await settle()
    expect(asked.value).toMatchObject({ wallet: embedded })
  })
})

describe('connectOrCreateWallet for a logged-in user', () => {
  test('returns an existing embedded wallet without a dialog', async () => {
    const { fixture, asked } = await open({ user: walletUser })
    expect(asked.value).toMatchObject({ wallet: embedded })
    expect(fixture.frame).toEqual([])
  })

  test('creates a wallet if the user has none', async () => {
    const { fixture, asked } = await open({ user: visitorUser })
    expect(asked.value).toMatchObject({ wallet: embedded })
    await fixture.clock.advance(500)
    await renderDialog(fixture).see('All set!')
  })

  test('creates a wallet if the user has only a Solana wallet', async () => {
    const linkedAccounts = [...visitorUser.linkedAccounts, solanaAccount]
    const { fixture, asked } = await open({ user: { ...visitorUser, linkedAccounts } })
    expect(asked.value).toMatchObject({ wallet: embedded })
    await fixture.clock.advance(500)
    await renderDialog(fixture).see('All set!')
  })

  test('connects the external wallet if the user has no other', async () => {
    const { fixture, asked } = await open({ user: siweUser })
    expect(fixture.screen()).toBe('CONNECT_ONLY_AUTHENTICATED_SCREEN')
    await fixture.close()
    expect(asked.error).toMatchObject({ code: 'exited_link_flow' })
  })

  test('asks for pending terms first', async () => {
    const { fixture, asked } = await open({ user: walletUser, app: { requireUsersAcceptTerms: true } })
    expect(fixture.screen()).toBe('AFFIRMATIVE_CONSENT_SCREEN')
    expect(asked.settled).toBe(false)
  })
})
