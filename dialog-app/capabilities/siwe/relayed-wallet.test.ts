/** A wallet that joins at a relay. */
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

  test('scans a code, signs there, and is known by its name', async () => {
    const relay = makeRelay()
    const { fixture, step, login } = await atWallets({ answers, page: pageOf(), app, relay: relay.open })
    await chooseWallet(fixture, 'Rainbow')
    expect(step()).toEqual({ status: 'connecting', meeting: { uri, link: undefined, canInstall: true } })
    relay.joined.resolve({ address, chainId: 1 })
    await settle()
    await settle()
    expect(fixture.transport.calls('loginWithSiwe')[0]?.body).toMatchObject({
      walletClientType: 'rainbow',
      connectorType: 'wallet_connect',
    })
    expect(login.value).toMatchObject({ loginMethod: 'wallet' })
  })

  test('can be had for this browser instead', async () => {
    const relay = makeRelay()
    const { fixture } = await atWallets({ answers, page: pageOf(), app, relay: relay.open })
    await chooseWallet(fixture, 'Rainbow')
    await fixture.press('AWAITING_CONNECTION', 'install')
    expect(fixture.state('WALLET_INSTALL_SCREEN').wallet?.name).toBe('Rainbow')
  })

  test('opens on this phone by a link of its own', async () => {
    const relay = makeRelay()
    const { fixture, step } = await atWallets({
      answers,
      page: pageOf(),
      app,
      relay: relay.open,
      device: android,
    })
    await chooseWallet(fixture, 'Rainbow')
    expect(step()).toMatchObject({
      meeting: { link: 'https://rnbwapp.com/wc?uri=wc%3Atopic%402%3FsymKey%3Dkey', canInstall: false },
    })
    await fixture.back()
    await chooseWallet(fixture, 'WalletConnect')
    expect(step()).toMatchObject({ meeting: { link: uri } })
  })

  test.each([
    ['Rainbow', android, 'https://other.example/app', 'https://rnbwapp.com/wc'],
    ['WalletConnect', android, 'https://wallet.example/app', 'https://wallet.example/app'],
    ['WalletConnect', android, undefined, undefined],
    ['Rainbow', desktop, 'https://wallet.example/app', undefined],
  ])(
    'is opened again for its signature where it is on this phone: %s, %j',
    async (name, device, said, link) => {
      const relay = makeRelay()
      const { fixture, step } = await atWallets({
        answers: { ...answers, loginWithSiwe: () => new Promise(() => {}) },
        page: pageOf(),
        app,
        relay: async () => ({ ...(await relay.open()), sign: () => new Promise(() => {}) }),
        device,
      })
      await chooseWallet(fixture, name)
      relay.joined.resolve({ address, chainId: 1, ...(said !== undefined && { appLink: said }) })
      await settle()
      await settle()
      expect(step()).toEqual({ status: 'sign' })
      expect(fixture.state('AWAITING_CONNECTION').appLink).toBe(link)
    },
  )

  test('is left when another is chosen, and with the login', async () => {
    const relay = makeRelay()
    let left = 0
    const disconnect = async () => {
      left += 1
    }
    const open = async () => ({ ...(await relay.open()), disconnect })
    const { fixture } = await atWallets({ answers, page: pageOf(), app, relay: open })
    await chooseWallet(fixture, 'Rainbow')
    await fixture.back()
    expect(left).toBe(0)
    await chooseWallet(fixture, 'WalletConnect')
    expect(left).toBe(1)
    await fixture.close()
    expect(left).toBe(2)
  })

  test('is not offered by an app that is no project there', async () => {
    const relay = makeRelay()
    const { fixture } = await atWallets({ answers, page: pageOf(), relay: relay.open })
    expect(shownWallets(fixture)).not.toContain('WalletConnect')
    expect(relay.opened()).toBe(0)
  })

  test('is not offered on a page that has it off', async () => {
    const relay = makeRelay()
    const offeredWith = async (enabled: boolean) => {
      const config = { externalWallets: { walletConnect: { enabled } } }
      const { fixture } = await atWallets({ answers, page: pageOf(), app, config, relay: relay.open })
      return shownWallets(fixture)
    }
    expect(await offeredWith(true)).toContain('WalletConnect')
    expect(await offeredWith(false)).not.toContain('WalletConnect')
  })
})
