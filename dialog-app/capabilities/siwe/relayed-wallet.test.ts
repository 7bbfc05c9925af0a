/** A wallet that joins at a relay. */
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import {
  address,
  android,
  answers,
  atWallets,
  chooseWallet,
  pageOf,
  shownWallets,
  signature,
} from './testing.ts'

describe('a wallet that joins at a relay', () => {
  const app = { walletConnectCloudProjectId: 'project' }
  const uri = 'wc:topic@2?symKey=key'
  function makeRelay() {
    const joined = Promise.withResolvers<{ address: string; chainId: number }>()
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
        }
      },
    }
  }

  test('scans a code, signs there, and is known by its name', async () => {
    const relay = makeRelay()
    const { world, step, login } = await atWallets({ answers, page: pageOf(), app, relay: relay.open })
    await chooseWallet(world, 'Rainbow')
    expect(step()).toEqual({ status: 'connecting', meeting: { uri, link: undefined, canInstall: true } })
    relay.joined.resolve({ address, chainId: 1 })
    await settle()
    await settle()
    expect(world.transport.calls('loginWithSiwe')[0]?.body).toMatchObject({
      walletClientType: 'rainbow',
      connectorType: 'wallet_connect',
    })
    expect(login.value).toMatchObject({ loginMethod: 'wallet' })
  })

  test('can be had for this browser instead', async () => {
    const relay = makeRelay()
    const { world } = await atWallets({ answers, page: pageOf(), app, relay: relay.open })
    await chooseWallet(world, 'Rainbow')
    await world.press('AWAITING_CONNECTION', 'install')
    expect(world.state('WALLET_INSTALL_SCREEN').wallet?.name).toBe('Rainbow')
  })

  test('opens on this phone by a link of its own', async () => {
    const relay = makeRelay()
    const { world, step } = await atWallets({
      answers,
      page: pageOf(),
      app,
      relay: relay.open,
      device: android,
    })
    await chooseWallet(world, 'Rainbow')
    expect(step()).toMatchObject({
      meeting: { link: 'https://rnbwapp.com/wc?uri=wc%3Atopic%402%3FsymKey%3Dkey', canInstall: false },
    })
    await world.back()
    await chooseWallet(world, 'WalletConnect')
    expect(step()).toMatchObject({ meeting: { link: uri } })
  })

  test('is left when another is chosen, and with the login', async () => {
    const relay = makeRelay()
    let left = 0
    const disconnect = async () => {
      left += 1
    }
    const open = async () => ({ ...(await relay.open()), disconnect })
    const { world } = await atWallets({ answers, page: pageOf(), app, relay: open })
    await chooseWallet(world, 'Rainbow')
    await world.back()
    expect(left).toBe(0)
    await chooseWallet(world, 'WalletConnect')
    expect(left).toBe(1)
    await world.close()
    expect(left).toBe(2)
  })

  test('is not offered by an app that is no project there', async () => {
    const relay = makeRelay()
    const { world } = await atWallets({ answers, page: pageOf(), relay: relay.open })
    expect(shownWallets(world)).not.toContain('WalletConnect')
    expect(relay.opened()).toBe(0)
  })

  test('is not offered on a page that has it off', async () => {
    const relay = makeRelay()
    const offeredWith = async (enabled: boolean) => {
      const config = { externalWallets: { walletConnect: { enabled } } }
      const { world } = await atWallets({ answers, page: pageOf(), app, config, relay: relay.open })
      return shownWallets(world)
    }
    expect(await offeredWith(true)).toContain('WalletConnect')
    expect(await offeredWith(false)).not.toContain('WalletConnect')
  })
})
