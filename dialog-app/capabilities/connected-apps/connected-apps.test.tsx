import { describe, expect, test } from 'vitest'
import type { ConnectedDapp, Dapps } from '../../contract/dapps.ts'
import { type Answers, type FixtureOptions, makeFixture, refused } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { type Page, renderDialog } from '../../testing/page.tsx'
import { capabilities } from '../index.ts'

const apps = [
  {
    id: 'connection-1',
    name: 'Harbour',
    origin: 'https://harbour.example',
    scopes: ['openid' as const, 'wallet.read' as const, 'wallet.send' as const],
    address: walletAddress,
    dailyUsd: 250,
    createdAt: 1_767_225_600,
    lastUsedAt: 1_767_312_000,
  },
  {
    id: 'connection-2',
    name: 'Tide Tables',
    origin: 'https://tides.example',
    scopes: ['openid' as const, 'wallet.read' as const],
    address: walletAddress,
    dailyUsd: null,
    createdAt: 1_767_225_600,
    lastUsedAt: null,
  },
]

async function openAccount(options: FixtureOptions, user = visitorUser) {
  const fixture = await makeFixture({ standalone: true, ...options })
  fixture.session.accept(makeAuthAnswer({ user }))
  void fixture.dialog.runStandalone()
  const page = renderDialog(fixture)
  await page.see('Log out')
  return { ...fixture, page }
}

async function openApps(answers: Answers = {}) {
  const opened = await openAccount({
    answers: {
      me: () => visitorUser,
      connectedApps: () => ({ apps: [...apps] }),
      endConnectedApp: () => ({ success: true }),
      ...answers,
    },
    app: { crossAppProvider: true },
  })
  await opened.page.press('Connected apps')
  return opened
}
/** Presses the button in the row of this app. */
const disconnect = (page: Page, app: string) => page.press({ name: 'Disconnect', description: app })

describe('the connected apps', () => {
  test('show name, origin, permissions and dates', async () => {
    const { page, screen } = await openApps()
    await page.see('Harbour')
    const texts = page.texts()
    for (const text of [
      'harbour.example',
      'See the address of this wallet',
      'Ask you to send transactions, up to $250 a day',
      'Jan 1, 2026',
      'Jan 2, 2026',
      'Tide Tables',
      'Not used yet',
    ]) {
      expect(texts).toContain(text)
    }
    await page.press('Back')
    expect(screen()).toBe('SIGNED_IN')
  })

  test('have no entry if the app allows no other apps', async () => {
    const { page } = await openAccount({ app: { crossAppProvider: false } })
    expect(page.hasButton('Connected apps')).toBe(false)
  })

  test('may be none', async () => {
    const { page } = await openApps({ connectedApps: () => ({ apps: [] }) })
    await page.see('No other app can use your wallet.')
  })

  test('load again on request after the server did not respond', async () => {
    let isReachable = false
    const { page } = await openApps({
      connectedApps() {
        if (!isReachable) throw refused('internal_error', 500)
        return { apps: [...apps] }
      },
    })
    await page.see('Your connected apps could not be loaded')
    isReachable = true
    await page.press('Try again')
    await page.see('Tide Tables')
  })
})

describe('a connected app', () => {
  test('is disconnected after a confirmation, and leaves the list', async () => {
    const { page, screen, transport } = await openApps()
    await disconnect(page, 'Harbour')
    await page.see('Disconnect Harbour?')
    expect(transport.calls('endConnectedApp')).toEqual([])
    await page.press('Disconnect')
    await page.see('Harbour is disconnected.')
    expect(transport.calls('endConnectedApp')).toMatchObject([{ body: { id: 'connection-1' } }])
    expect(page.has('Harbour')).toBe(false)
    expect(page.has('Tide Tables')).toBe(true)
    await page.press('Back')
    expect(screen()).toBe('SIGNED_IN')
  })

  test.each(['Keep it connected', 'Back'])('stays connected after "%s"', async (button) => {
    const { page, transport } = await openApps()
    await disconnect(page, 'Harbour')
    await page.see('Disconnect Harbour?')
    await page.press(button)
    await page.see('Harbour')
    expect(transport.calls('endConnectedApp')).toEqual([])
  })

  test('stays connected if the server does not respond, and can be disconnected again', async () => {
    let isReachable = false
    const { page } = await openApps({
      endConnectedApp() {
        if (!isReachable) throw refused('internal_error', 500)
        return { success: true }
      },
    })
    await disconnect(page, 'Tide Tables')
    await page.see('Disconnect Tide Tables?')
    await page.press('Disconnect')
    await page.see('The app is still connected: the server did not respond. Try again.')
    isReachable = true
    await page.press('Disconnect')
    await page.see('Tide Tables is disconnected.')
  })

  test('counts as disconnected if another device disconnected it before', async () => {
    const { page } = await openApps({
      endConnectedApp() {
        throw refused('not_found', 404)
      },
    })
    await disconnect(page, 'Harbour')
    await page.see('Disconnect Harbour?')
    await page.press('Disconnect')
    await page.see('Harbour is disconnected.')
  })

  test('cannot be left or disconnected twice while the server responds', async () => {
    const response = Promise.withResolvers<{ success: true }>()
    const { page, back, transport } = await openApps({ endConnectedApp: () => response.promise })
    await disconnect(page, 'Harbour')
    await page.see('Disconnect Harbour?')
    await page.press('Disconnect')
    await page.see('Disconnecting')
    await page.press(/Disconnect/)
    expect(page.hasButton('Back')).toBe(false)
    await back()
    response.resolve({ success: true })
    await page.see('Harbour is disconnected.')
    expect(transport.calls('endConnectedApp')).toHaveLength(1)
  })
})

describe('dapps connected with a link', () => {
  const dapp: ConnectedDapp = {
    id: 'session-1',
    name: 'Tide Market',
    url: 'https://market.tides.example',
    sinceMs: 1_767_225_600_000,
    lastUsedMs: undefined,
  }
  const withDapps = { dappConnections: true, walletConnectCloudProjectId: 'project' }

  async function openDapps(change: Partial<Dapps> = {}, app: FixtureOptions['app'] = {}) {
    let list: readonly ConnectedDapp[] = [dapp]
    let onChange = () => {}
    const ended: string[] = []
    const dapps: Dapps = {
      list: async () => list,
      async end(id) {
        ended.push(id)
        list = []
      },
      connect: async () => undefined,
      onChange(listener) {
        onChange = listener
        return () => {}
      },
      ...change,
    }
    const fake = { name: 'dapp-connections', loadedFor: 'nobody' as const, bring: () => ({ dapps }) }
    const opened = await openAccount(
      {
        answers: { me: () => walletUser, connectedApps: () => ({ apps: [] }) },
        app: { crossAppProvider: false, ...withDapps, ...app },
        addresses: { walletConnect: 'wss://relay.example' },
        capabilities: [...capabilities.filter(({ name }) => name !== fake.name), fake],
      },
      walletUser,
    )
    await opened.page.press('Connected apps')
    const setList = (next: readonly ConnectedDapp[]) => {
      list = next
      onChange()
    }
    return { ...opened, ended, setList }
  }

  test('are listed without a request to the server if the app allows no other apps', async () => {
    const { page, transport } = await openDapps()
    await page.see('Tide Market')
    const texts = page.texts()
    expect(texts).toContain('market.tides.example')
    expect(texts).toContain('Jan 1, 2026')
    expect(texts).toContain('Connected with a link, in this browser. Nobody has verified this site.')
    expect(page.hasButton('Connect with a link')).toBe(true)
    expect(transport.calls('connectedApps')).toEqual([])
  })

  test('are disconnected by the user', async () => {
    const { page, ended } = await openDapps()
    await disconnect(page, 'Tide Market')
    await page.see('Disconnect Tide Market?')
    await page.press('Disconnect')
    await page.see('Tide Market is disconnected.')
    expect(ended).toEqual(['session-1'])
    expect(page.has('Tide Market')).toBe(false)
  })

  test('appear and disappear while the list is open', async () => {
    const { page, setList } = await openDapps()
    await page.see('Tide Market')
    setList([])
    await page.see('No other app can use your wallet.')
  })

  test('are announced once connected', async () => {
    const { page } = await openDapps({ connect: async () => 'Tide Market' })
    await page.press('Connect with a link')
    await page.see('Tide Market is connected.')
  })

  test('are not announced if the user left', async () => {
    const { page } = await openDapps()
    await page.press('Connect with a link')
    expect(page.has('Tide Market is connected.')).toBe(false)
  })

  test.each([
    ['the operator turned them off', { dappConnections: false }],
    ['the app has no WalletConnect project', { walletConnectCloudProjectId: null }],
  ])('are not offered if %s', async (_reason, app) => {
    const { page } = await openDapps({}, { crossAppProvider: true, ...app })
    await page.see('No other app can use your wallet.')
    expect(page.hasButton('Connect with a link')).toBe(false)
  })
})
