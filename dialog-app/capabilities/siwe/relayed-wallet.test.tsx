/** Wallets that join at a relay. */
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import type { ConnectedWallet } from './sources/connector.ts'
import {
  address,
  android,
  answers,
  atWallets,
  chooseWallet,
  desktop,
  pageOf,
  shownWallets,
  signature,
} from './testing.ts'

describe('a wallet that joins at a relay', () => {
  const app = { walletConnectCloudProjectId: 'project' }
  const uri = 'wc:topic@2?symKey=key'
  const scan = 'Scan the code with Rainbow on your phone, and allow the connection.'
  const installInstead = 'Use it in this browser instead'
  function makeRelay() {
    const joined = Promise.withResolvers<ConnectedWallet>()
    let opened = 0
    return {
      joined,
      opened: () => opened,
      async open() {
        opened += 1
        return {
          connectorType: 'wallet_connect' as const,
          connect: ({ onUri }: { onUri: (uri: string) => void }) => {
            onUri(uri)
            return joined.promise
          },
          sign: async () => signature,
          pay: async () => `0x${'cd'.repeat(32)}`,
        }
      },
    }
  }

  test('scans a code, signs, and is logged in by its key', async () => {
    const relay = makeRelay()
    const { fixture, dialog, login } = await atWallets({ answers, page: pageOf(), app, relay: relay.open })
    await chooseWallet(dialog, 'Rainbow')
    await dialog.see(scan)
    expect(dialog.hasButton(installInstead)).toBe(true)
    expect(document.querySelector(`[title="${uri}"]`)).not.toBeNull()
    expect(dialog.link('Open Rainbow')).toBeUndefined()
    relay.joined.resolve({ address, chainId: 1 })
    await settle()
    await settle()
    expect(fixture.transport.calls('loginWithSiwe')[0]?.body).toMatchObject({
      walletClientType: 'rainbow',
      connectorType: 'wallet_connect',
    })
    expect(login.value).toMatchObject({ loginMethod: 'wallet' })
  })

  test('can be installed in this browser instead', async () => {
    const relay = makeRelay()
    const { fixture, dialog } = await atWallets({ answers, page: pageOf(), app, relay: relay.open })
    await chooseWallet(dialog, 'Rainbow')
    await dialog.press(installInstead)
    expect(fixture.screen()).toBe('WALLET_INSTALL_SCREEN')
    await dialog.see('Get Rainbow')
  })

  test('opens on this phone with its own link', async () => {
    const relay = makeRelay()
    const { fixture, dialog } = await atWallets({
      answers,
      page: pageOf(),
      app,
      relay: relay.open,
      device: android,
    })
    await chooseWallet(dialog, 'Rainbow')
    await dialog.see('Waiting for Rainbow')
    expect(dialog.link('Open Rainbow')).toBe('https://rnbwapp.com/wc?uri=wc%3Atopic%402%3FsymKey%3Dkey')
    expect(dialog.hasButton(installInstead)).toBe(false)
    await fixture.back()
    await chooseWallet(dialog, 'WalletConnect')
    await dialog.see('Waiting for your wallet on your phone')
    expect(dialog.link('Open your wallet on your phone')).toBe(uri)
  })

  test.each([
    ['Rainbow', android, 'https://other.example/app', 'https://rnbwapp.com/wc'],
    ['WalletConnect', android, 'https://wallet.example/app', 'https://wallet.example/app'],
    ['WalletConnect', android, undefined, undefined],
    ['Rainbow', desktop, 'https://wallet.example/app', undefined],
  ])(
    'has a link to its app for the signature if it is on this phone: %s, %j',
    async (name, device, appLink, link) => {
      const relay = makeRelay()
      const { dialog } = await atWallets({
        answers: { ...answers, loginWithSiwe: () => new Promise(() => {}) },
        page: pageOf(),
        app,
        relay: async () => ({ ...(await relay.open()), sign: () => new Promise(() => {}) }),
        device,
      })
      await chooseWallet(dialog, name)
      relay.joined.resolve({ address, chainId: 1, ...(appLink !== undefined && { appLink }) })
      await settle()
      await settle()
      await dialog.see('Sign to verify')
      expect(dialog.link(/^Open /)).toBe(link)
    },
  )

  function countEnds() {
    let ends = 0
    async function disconnect() {
      ends += 1
    }
    return { ends: () => ends, open: async () => ({ ...(await makeRelay().open()), disconnect }) }
  }

  test('disconnects when the user chooses another wallet, and when the login ends', async () => {
    const { open, ends } = countEnds()
    const { fixture, dialog } = await atWallets({ answers, page: pageOf(), app, relay: open })
    await chooseWallet(dialog, 'Rainbow')
    await fixture.back()
    expect(ends()).toBe(0)
    await chooseWallet(dialog, 'WalletConnect')
    expect(ends()).toBe(1)
    await fixture.close()
    expect(ends()).toBe(2)
  })

  test.each([
    ['that has to be installed', desktop, 'WALLET_INSTALL_SCREEN'],
    ['on this phone', android, 'WALLET_MOBILE_SCREEN'],
  ])('is disconnected when a wallet %s is chosen', async (_, device, screen) => {
    const { open, ends } = countEnds()
    const { fixture, dialog } = await atWallets({ answers, page: pageOf(), app, relay: open, device })
    await chooseWallet(dialog, 'Rainbow')
    await fixture.back()
    await chooseWallet(dialog, 'Phantom')
    expect(fixture.screen()).toBe(screen)
    expect(ends()).toBe(1)
    await fixture.close()
    expect(ends()).toBe(1)
  })

  test('is not offered in an app without a WalletConnect project', async () => {
    const relay = makeRelay()
    const { dialog } = await atWallets({ answers, page: pageOf(), relay: relay.open })
    await dialog.see('MetaMask')
    expect(shownWallets(dialog)).not.toContain('WalletConnect')
    expect(relay.opened()).toBe(0)
  })

  test('is not offered if the host disables WalletConnect', async () => {
    const relay = makeRelay()
    const offeredWith = async (enabled: boolean) => {
      const config = { externalWallets: { walletConnect: { enabled } } }
      const { dialog } = await atWallets({ answers, page: pageOf(), app, config, relay: relay.open })
      await dialog.see('MetaMask')
      return shownWallets(dialog)
    }
    expect(await offeredWith(true)).toContain('WalletConnect')
    expect(await offeredWith(false)).not.toContain('WalletConnect')
  })
})
