import { type ErrorCode, LatchkeyError, type LinkedAccount, type UserRecord } from '@latchkey/protocol'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeAuthAnswer, visitorUser } from '../../testing/fixtures.ts'
import { viewport } from '../../testing/host.ts'
import { makeBrowser, refused, watch } from '../../testing/world.ts'
import {
  address,
  android,
  answers,
  atWallets,
  cairn,
  chooseWallet,
  iphone,
  lastUsedOf,
  makePage,
  makeWalletWorld,
  metamask,
  openWallets,
  otherAddress,
  type Page,
  shownWallets,
  signature,
  type World,
  walletAccount,
} from './testing.ts'

// In a browser it comes while the wallet is asked to connect.
beforeAll(() => import('./later-sign-in-message.ts'))

const chainOne = '0x1'
const pageOf = (...wallets: (typeof metamask)[]) => makePage({ wallets })

/** Up to the question for a signature. */
async function connected(given: Parameters<typeof atWallets>[0] = {}, page = pageOf(metamask, cairn)) {
  const at = await atWallets({ answers, page, ...given })
  await chooseWallet(at.world, 'MetaMask')
  await page.answer([address])
  await page.answer(chainOne)
  return { ...at, page }
}

describe('a login by a wallet of the page', () => {
  // spec L1.4, L2.28, L4.29, L7.19, L7.20, L7.34
  test('connects, signs what the server made the nonce of, and brings it back', async () => {
    const page = pageOf(metamask, cairn)
    const { world, login, step } = await atWallets({ answers, page })
    expect(shownWallets(world).slice(0, 2)).toEqual(['MetaMask', 'Cairn'])
    await chooseWallet(world, 'MetaMask')
    expect(world.state('AWAITING_CONNECTION').wallet.name).toBe('MetaMask')
    expect(step()).toEqual({ status: 'connecting' })
    expect(page.asked.at(-1)).toMatchObject({ wallet: 'one', method: 'eth_requestAccounts', params: [] })
    await page.answer([address.toLowerCase(), otherAddress])
    expect(page.question()).toBe('eth_chainId')
    await page.answer('0x2105')
    expect(step()).toEqual({ status: 'sign' })
    const [begun] = world.transport.calls('beginSiwe')
    expect(begun?.body).toEqual({ address: address.toLowerCase(), origin: 'http://demo.localhost:4010' })
    const [hex, signer] = page.asked.at(-1)?.params ?? []
    const message = Buffer.from(String(hex).slice(2), 'hex').toString()
    expect(page.question()).toBe('personal_sign')
    expect(signer).toBe(address.toLowerCase())
    expect(message).toBe(`demo.localhost:4010 wants you to sign in with your Ethereum account:
${address}

Sign to prove that this wallet is yours. It costs nothing and moves nothing.

URI: http://demo.localhost:4010
Version: 1
Chain ID: 8453
Nonce: k7Qm2xV9
Issued At: 2026-01-01T12:34:56.000Z`)
    await page.answer(signature)
    const [finished] = world.transport.calls('loginWithSiwe')
    expect(finished?.body).toEqual({
      message,
      signature,
      chainId: 'eip155:8453',
      walletClientType: 'metamask',
      connectorType: 'injected',
    })
    expect(step()).toEqual({ status: 'success' })
    expect(login.value).toMatchObject({ loginMethod: 'wallet', loginAccount: { type: 'wallet', address } })
    expect(world.events).toContain('sdk_authenticate_siwe')
  })

  // spec L4.23
  test('shows its success for 1.4 s and closes', async () => {
    const { world, page } = await connected()
    await page.answer(signature)
    await world.clock.advance(1_399)
    expect(world.view()?.open).toBe(true)
    await world.clock.advance(1)
    expect(world.view()?.open).toBe(false)
    await world.clock.advance(200)
    expect(world.clock.waiting()).toEqual([])
  })

  test('says that it is being verified while the server looks, and there is no way back from that', async () => {
    const verified = Promise.withResolvers<never>()
    const { world, page, step } = await connected({
      answers: { ...answers, loginWithSiwe: () => verified.promise },
    })
    expect(world.view()?.header.back).toBe(true)
    await page.answer(signature)
    expect(step()).toEqual({ status: 'signing' })
    expect(world.view()?.header.back).toBe(false)
  })

  test('takes one wallet at a time: whatever the one before says comes too late', async () => {
    const page = pageOf(metamask, cairn)
    const { world, step } = await atWallets({ answers, page })
    await chooseWallet(world, 'MetaMask')
    const [first] = page.asked
    await world.back()
    await chooseWallet(world, 'Cairn')
    expect(first?.signal.aborted).toBe(true)
    expect(page.asked.at(-1)).toMatchObject({ wallet: 'two', method: 'eth_requestAccounts' })
    expect(world.state('AWAITING_CONNECTION').wallet.name).toBe('Cairn')
    await page.answer([address])
    await page.answer(chainOne)
    expect(step()).toEqual({ status: 'sign' })
  })

  test('that the user left goes on with nothing', async () => {
    const page = pageOf(metamask)
    const { world } = await atWallets({ answers, page })
    await chooseWallet(world, 'MetaMask')
    await world.back()
    await page.answer([address])
    await page.answer(chainOne)
    expect(world.screen()).toBe('LANDING/web3-overflow')
    expect(world.transport.calls('beginSiwe')).toEqual([])
  })

  test('stands first among the wallets the next time, and says that it was used last', async () => {
    const { page, world } = await connected(
      { config: { appearance: { walletList: ['detected_wallets'] } } },
      pageOf(cairn, metamask),
    )
    await page.answer(signature)
    await world.clock.advance(2_000)
    await world.session.logout()
    watch(world.login())
    await settle()
    await openWallets(world)
    expect(shownWallets(world)).toEqual(['MetaMask', 'Cairn'])
    expect(lastUsedOf(world)).toEqual(['MetaMask'])
  })
})

describe('a captcha', () => {
  // spec L4.14
  test('comes before the nonce, which its token goes with, and once for each nonce', async () => {
    const captcha = vi.fn(async () => ({ token: 'passed' }))
    const { world, page } = await connected({ captcha })
    expect(world.transport.calls('beginSiwe')[0]?.body).toMatchObject({ address, token: 'passed' })
    expect(page.question()).toBe('personal_sign')
    await page.refuse()
    await world.press('AWAITING_CONNECTION', 'retry')
    await page.answer([address])
    await page.answer(chainOne)
    expect(captcha).toHaveBeenCalledTimes(1)
  })

  test('that the user goes back from leads to the wallets', async () => {
    const { world } = await connected({ captcha: async () => undefined })
    expect(world.screen()).toBe('LANDING/web3-overflow')
    expect(world.transport.calls('beginSiwe')).toEqual([])
  })
})

describe('the network of the wallet', () => {
  const config = { supportedChains: [8453, 10], defaultChain: 10 }

  // spec L3.31, L4.29
  test('is changed to one that the host is for, and the message says that one', async () => {
    const { page, step } = await connected({ config })
    expect(step()).toEqual({ status: 'switching' })
    expect(page.asked.at(-1)).toMatchObject({
      method: 'wallet_switchEthereumChain',
      params: [{ chainId: '0xa' }],
    })
    await page.answer(null)
    expect(page.question()).toBe('personal_sign')
    const [hex] = page.asked.at(-1)?.params ?? []
    expect(Buffer.from(String(hex).slice(2), 'hex').toString()).toContain('Chain ID: 10\n')
  })

  test.each([[{ supportedChains: [10, 1] }], [{ defaultChain: 1 }], [{}]])(
    'stays what it is for a host of %j',
    async (given) => {
      const { page } = await connected({ config: given })
      expect(page.question()).toBe('personal_sign')
    },
  )

  test('stays what it is in a wallet that does not know the other', async () => {
    const { page, world } = await connected({ config })
    await page.fail(4902)
    expect(page.question()).toBe('personal_sign')
    await page.answer(signature)
    expect(world.transport.calls('loginWithSiwe')[0]?.body).toMatchObject({ chainId: 'eip155:1' })
  })

  test('that the user does not want to change is a request that they refused', async () => {
    const { page, step } = await connected({ config })
    await page.refuse()
    expect(step()).toMatchObject({ status: 'failed', problem: 'rejected' })
  })
})

describe('a wallet that fails', () => {
  // spec L8.20
  test.each([
    ['refuse', 'rejected'],
    ['timeOut', 'timedOut'],
    ['fail', 'generic'],
  ] as const)('as by %s says why: %s', async (how, problem) => {
    const page = pageOf(metamask)
    const { world, step } = await atWallets({ answers, page })
    await chooseWallet(world, 'MetaMask')
    await page[how]()
    expect(step()).toEqual({ status: 'failed', problem, isRepeated: false })
  })

  test.each([[[]], [['0x12']], ['nothing'], [null]])('with the accounts %j has none', async (said) => {
    const page = pageOf(metamask)
    const { world, step } = await atWallets({ answers, page })
    await chooseWallet(world, 'MetaMask')
    await page.answer(said)
    expect(step()).toMatchObject({ status: 'failed', problem: 'generic' })
  })

  // spec L4.27, L4.28, L2.40
  test('is tried again twice, and then another way is tried', async () => {
    const page = pageOf(metamask)
    const { world, step } = await atWallets({ answers, page })
    await chooseWallet(world, 'MetaMask')
    await page.refuse()
    expect(step()).toEqual({ status: 'failed', problem: 'rejected', isRepeated: false })
    await world.press('AWAITING_CONNECTION', 'retry')
    expect(step()).toEqual({ status: 'connecting' })
    await page.fail()
    expect(step()).toEqual({ status: 'failed', problem: 'generic', isRepeated: true })
    await world.press('AWAITING_CONNECTION', 'retry')
    expect(page.asked.map(({ method }) => method)).toEqual(Array(3).fill('eth_requestAccounts'))
    await page.refuse()
    expect(world.screen()).toBe('LOGIN_FAILED_SCREEN')
    await world.press('LOGIN_FAILED_SCREEN', 'retry')
    expect(world.screen()).toBe('LANDING')
    await openWallets(world)
    await chooseWallet(world, 'MetaMask')
    await page.refuse()
    expect(step()).toMatchObject({ isRepeated: false })
  })

  // spec L2.40
  test('and is cancelled closes the dialog', async () => {
    const page = pageOf(metamask)
    const { world, login } = await atWallets({ answers, page })
    await chooseWallet(world, 'MetaMask')
    await page.refuse()
    for (const _ of [1, 2]) {
      await world.press('AWAITING_CONNECTION', 'retry')
      await page.refuse()
    }
    await world.press('LOGIN_FAILED_SCREEN', 'leave')
    expect(world.view()?.open).toBe(false)
    expect(login.error).toMatchObject({ code: 'exited_auth_flow' })
  })

  // spec L4.30
  test('at its signature is asked again 2.5 s later, where it needs that, and with the same nonce', async () => {
    const { world, page } = await connected()
    await page.refuse()
    await world.press('AWAITING_CONNECTION', 'retry')
    await page.answer([address])
    await page.answer(chainOne)
    const asked = page.asked.length
    await world.clock.advance(2_499)
    expect(page.asked).toHaveLength(asked)
    await world.clock.advance(1)
    expect(page.question()).toBe('personal_sign')
    expect(page.asked).toHaveLength(asked + 1)
    expect(world.transport.calls('beginSiwe')).toHaveLength(1)
  })

  test('at its signature is asked again at once, where it needs no time', async () => {
    const page = pageOf(cairn)
    const { world } = await atWallets({ answers, page })
    await chooseWallet(world, 'Cairn')
    for (const isFirst of [true, false]) {
      await page.answer([address])
      await page.answer(chainOne)
      expect(page.question()).toBe('personal_sign')
      if (isFirst) {
        await page.refuse()
        await world.press('AWAITING_CONNECTION', 'retry')
      }
    }
  })

  test('and then is another account, or comes late, gets a nonce of its own', async () => {
    const { world, page } = await connected()
    await page.refuse()
    await world.press('AWAITING_CONNECTION', 'retry')
    await page.answer([otherAddress])
    await page.answer(chainOne)
    expect(world.transport.calls('beginSiwe').map(({ body }) => body)).toMatchObject([
      { address },
      { address: otherAddress },
    ])
  })
})

describe('what the server says of the wallet', () => {
  const saying = (code: ErrorCode, status: number) => ({
    ...answers,
    loginWithSiwe: () => Promise.reject(refused(code, status)),
  })

  // spec L8.18
  test.each([
    ['allowlist_rejected', 'ALLOWLIST_REJECTION_SCREEN'],
    ['max_accounts_reached', 'USER_LIMIT_REACHED_SCREEN'],
    ['user_does_not_exist', 'ACCOUNT_NOT_FOUND_SCREEN'],
  ] as const)('of %s has a screen of its own', async (code, name) => {
    const { world, page } = await connected({ answers: saying(code, 401) })
    await page.answer(signature)
    expect(world.screen()).toBe(name)
  })

  // spec L8.19, L8.20
  test('that it is of another user offers a different wallet', async () => {
    const { world, page, step } = await connected({ answers: saying('linked_to_another_user', 400) })
    await page.answer(signature)
    expect(step()).toMatchObject({ status: 'failed', problem: 'userExists' })
    await world.press('AWAITING_CONNECTION', 'other')
    expect(world.screen()).toBe('LANDING/web3-overflow')
    expect(shownWallets(world)).toContain('Cairn')
  })

  test('that its nonce is none has the next try ask for another', async () => {
    const { world, page, step } = await connected({ answers: saying('invalid_credentials', 401) })
    await page.answer(signature)
    expect(step()).toMatchObject({ status: 'failed', problem: 'generic' })
    await world.press('AWAITING_CONNECTION', 'retry')
    await page.answer([address])
    await page.answer(chainOne)
    expect(world.transport.calls('beginSiwe')).toHaveLength(2)
  })

  test('before it signed is told as of any login that does not begin', async () => {
    const { world } = await connected({
      answers: { ...answers, beginSiwe: () => Promise.reject(refused('disallowed_login_method', 403)) },
    })
    expect(world.screen()).toBe('ERROR_SCREEN')
    await world.press('ERROR_SCREEN', 'retry')
    expect(world.screen()).toBe('LANDING/web3-overflow')
  })
})

describe('the wallets of a page that is slow to say them', () => {
  // spec L9.5
  test('are waited for no longer than 1.5 s', async () => {
    const page = pageOf(cairn)
    page.delay(new Promise(() => {}))
    const browser = makeBrowser()
    const loaded = watch(makeWalletWorld({ answers, page, browser }))
    await browser.clock.advance(1_499)
    expect(loaded.settled).toBe(false)
    await browser.clock.advance(1)
    expect(loaded.settled).toBe(true)
  })

  test('are not waited for where others stand before them, and 150 ms where they stand first', async () => {
    const page = makePage({ wallets: [] })
    for (const [config, waitsMs] of [
      [{}, 0],
      [{ appearance: { loginGroupPriority: 'web3-first' } }, 150],
    ] as const) {
      page.delay(Promise.resolve())
      const world = await makeWalletWorld({ answers, page, config })
      page.delay(new Promise(() => {}))
      watch(world.login())
      await settle()
      await world.clock.advance(waitsMs - 1)
      expect(world.screen()).toBe(waitsMs === 0 ? 'LANDING' : undefined)
      await world.clock.advance(1)
      expect(world.screen()).toBe('LANDING')
    }
  })

  test('appear where they are chosen, once they are said', async () => {
    const page = makePage({ wallets: [] })
    const world = await makeWalletWorld({ answers, page })
    const said = Promise.withResolvers<void>()
    page.delay(said.promise)
    page.say({ wallets: [cairn] })
    watch(world.login())
    await settle()
    await openWallets(world)
    expect(shownWallets(world)[0]).toBe('MetaMask')
    said.resolve()
    await settle()
    expect(shownWallets(world)[0]).toBe('Cairn')
  })

  test('that broke are none, and the others can be chosen', async () => {
    const page = makePage({ wallets: [] })
    page.delay(Promise.reject(new LatchkeyError('call_timeout', 'Nobody answered')))
    const { world } = await atWallets({ answers, page })
    expect(shownWallets(world)).toHaveLength(9)
  })
})

describe('a wallet that is not in this browser', () => {
  // spec L2.47
  test('is shown how it is had', async () => {
    const { world } = await atWallets({ answers, page: pageOf(metamask) })
    await chooseWallet(world, 'Rainbow')
    expect(world.state('WALLET_INSTALL_SCREEN').wallet).toMatchObject({
      name: 'Rainbow',
      extension: 'https://rainbow.me/extension',
    })
    await world.back()
    expect(shownWallets(world)).toContain('Rainbow')
  })

  test('is any, where the host offers what is there, and nothing is', async () => {
    const world = await makeWalletWorld({
      answers,
      page: makePage({ wallets: [] }),
      config: { appearance: { walletList: ['detected_wallets'] } },
    })
    watch(world.login())
    await settle()
    await chooseWallet(world, undefined)
    expect(world.state('WALLET_INSTALL_SCREEN')).toEqual({ wallet: undefined })
  })

  // spec L2.46
  test.each([
    ['iPhone', iphone, 'https://apps.apple.com/app/id1438144202'],
    ['Android', android, 'https://play.google.com/store/apps/details?id=io.metamask'],
  ] as const)('goes on in its app on %s, which opens the page, or is had', async (_, device, store) => {
    const { world } = await atWallets({ answers, page: pageOf(), device })
    Object.assign(world.settings(), { viewport: { ...viewport, address: 'https://app.example/in?a=1' } })
    await chooseWallet(world, 'MetaMask')
    expect(world.state('WALLET_MOBILE_SCREEN')).toMatchObject({
      open: 'https://metamask.app.link/dapp/app.example/in?a=1&latchkey_connector=injected&latchkey_wallet_client=metamask',
      store,
    })
  })

  test('opens the dialog itself where that is a page of its own, and the origin of a host that says no address', async () => {
    const openedFrom = async (hostOrigin: string | null) => {
      const { world } = await atWallets({ answers, page: pageOf(), device: iphone })
      Object.assign(world.settings(), { hostOrigin })
      await chooseWallet(world, 'MetaMask')
      return world.state('WALLET_MOBILE_SCREEN').open?.split('?')[0]
    }
    expect(await openedFrom(null)).toBe(
      'https://metamask.app.link/dapp/dialog.localhost:4000/apps/app/dialog',
    )
    expect(await openedFrom('https://app.example')).toBe('https://metamask.app.link/dapp/app.example/')
  })
})

describe('a page that the wallet has opened in its own browser', () => {
  const older = { id: 'injected', name: 'Browser wallet', rdns: 'injected' }
  const returned = { connector: 'injected', walletClient: 'metamask' }

  const goOn = async (world: World, { connector, walletClient }: typeof returned) => {
    const parameters = { latchkey_connector: connector, latchkey_wallet_client: walletClient }
    world.dialog.resume(new URLSearchParams(parameters))
    await settle()
    await settle()
  }

  // spec L2.11
  test('goes on with the login by itself, and the host hears of it as of any', async () => {
    const page = makePage({ wallets: [cairn, metamask] })
    const world = await makeWalletWorld({ answers, page, device: iphone })
    await goOn(world, returned)
    expect(world.state('AWAITING_CONNECTION').wallet.name).toBe('MetaMask')
    await page.answer([address])
    await page.answer(chainOne)
    await page.answer(signature)
    expect(world.session.state()).toMatchObject({ status: 'authenticated' })
  })

  test('goes on with the only wallet that is there, whatever it calls itself', async () => {
    const page = makePage({ wallets: [older] })
    const world = await makeWalletWorld({ answers, page, device: iphone })
    await goOn(world, returned)
    expect(world.state('AWAITING_CONNECTION').wallet.name).toBe('Browser wallet')
  })

  test.each([
    ['none of those that are there', { connector: 'injected', walletClient: 'rainbow' }],
    ['another way to it', { connector: 'wallet_connect', walletClient: 'metamask' }],
  ])('that says %s goes on at LANDING', async (_, other) => {
    const page = makePage({ wallets: [cairn, metamask] })
    const world = await makeWalletWorld({ answers, page, device: iphone })
    await goOn(world, other)
    expect(world.screen()).toBe('LANDING')
    expect(page.asked).toEqual([])
  })
})

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
})

describe('a wallet of a user', () => {
  const other = { ...walletAccount, address: otherAddress }
  const withWallets = (...wallets: readonly LinkedAccount[]): UserRecord => ({
    ...visitorUser,
    linkedAccounts: [...visitorUser.linkedAccounts, ...wallets],
  })

  async function open(user: UserRecord, given: Parameters<typeof makeWalletWorld>[0] = {}) {
    const page = pageOf(metamask, cairn)
    const world = await makeWalletWorld({
      page,
      ...given,
      answers: {
        ...answers,
        me: () => user,
        linkWallet: () => withWallets(other, walletAccount),
        unlinkWallet: () => withWallets(),
        ...given?.answers,
      },
    })
    await world.session.start()
    world.session.accept(makeAuthAnswer({ user }))
    await settle()
    return { world, page, step: () => world.state('AWAITING_CONNECTION').step }
  }
  async function sign(page: Page) {
    await page.answer([address])
    await page.answer(chainOne)
    await page.answer(signature)
  }

  // spec L2.50, L7.21
  test('is linked as it logs in, also where there is one already', async () => {
    const { world, page, step } = await open(withWallets(other))
    const linked = watch(world.link('wallet'))
    await settle()
    expect(world.state('LINK_WALLET_SCREEN').replaced).toBeUndefined()
    expect(shownWallets(world).slice(0, 2)).toEqual(['MetaMask', 'Cairn'])
    await chooseWallet(world, 'MetaMask')
    await sign(page)
    expect(step()).toEqual({ status: 'success' })
    expect(world.transport.calls('linkWallet')[0]).toMatchObject({
      body: { signature, chainId: 'eip155:1', walletClientType: 'metamask', connectorType: 'injected' },
      token: expect.any(String),
    })
    expect(linked.value).toMatchObject({
      user: { linkedAccounts: [{ type: 'email' }, other, walletAccount] },
    })
    expect(world.transport.calls('loginWithSiwe')).toEqual([])
  })

  // spec L4.14
  test('is linked without a captcha', async () => {
    const captcha = vi.fn(async () => ({ token: 't' }))
    const { world, page } = await open(withWallets(), { captcha })
    watch(world.link('wallet'))
    await settle()
    await chooseWallet(world, 'MetaMask')
    await sign(page)
    expect(world.transport.calls('linkWallet')).toHaveLength(1)
    expect(captcha).not.toHaveBeenCalled()
  })

  test('of another user is told to the one who links it, and to the host', async () => {
    const { world, page, step } = await open(withWallets(), {
      answers: { linkWallet: () => Promise.reject(refused('linked_to_another_user', 400)) },
    })
    const linked = watch(world.link('wallet'))
    await settle()
    await chooseWallet(world, 'MetaMask')
    await sign(page)
    expect(step()).toMatchObject({ status: 'failed', problem: 'userExists' })
    await world.press('AWAITING_CONNECTION', 'other')
    expect(world.screen()).toBe('LINK_WALLET_SCREEN')
    await world.close()
    expect(linked.error).toMatchObject({ code: 'linked_to_another_user' })
  })

  test('that can not be linked is given up after two retries, and the card closes or starts over', async () => {
    const { world, page } = await open(withWallets())
    const linked = watch(world.link('wallet'))
    await settle()
    await chooseWallet(world, 'MetaMask')
    await page.refuse()
    for (const _ of [1, 2]) {
      await world.press('AWAITING_CONNECTION', 'retry')
      await page.refuse()
    }
    await world.press('LOGIN_FAILED_SCREEN', 'retry')
    expect(world.screen()).toBe('LINK_WALLET_SCREEN')
    await world.close()
    expect(linked.error).toMatchObject({ code: 'user_rejected_request' })
  })

  // spec L7.13
  test('is unlinked by its address', async () => {
    const { world } = await open(withWallets(walletAccount, other))
    const unlinked = watch(world.unlink('wallet', otherAddress))
    await settle()
    await world.press('UNLINK_SCREEN', 'unlink')
    expect(world.transport.calls('unlinkWallet')[0]?.body).toEqual({ address: otherAddress })
    expect(unlinked.value).toMatchObject({ user: { linkedAccounts: [{ type: 'email' }] } })
  })

  // spec L5.20
  test('that is kept here stays, and nobody is asked', async () => {
    const embedded = { ...other, walletClient: 'latchkey' as const, connectorType: 'embedded' }
    const { world } = await open(withWallets(embedded, walletAccount))
    await expect(world.unlink('wallet', otherAddress)).rejects.toMatchObject({
      code: 'cannot_unlink_embedded_wallet',
    })
    expect(world.frame).toEqual([])
    expect(world.transport.calls('unlinkWallet')).toEqual([])
  })
})
