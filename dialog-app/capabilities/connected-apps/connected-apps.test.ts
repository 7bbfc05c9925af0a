import { describe, expect, test, vi } from 'vitest'
import type { ConnectedDapp, Dapps } from '../../contract/dapps.ts'
import { settle } from '../../testing/clock.ts'
import { type Answers, makeFixture, refused } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { pressIn } from '../../testing/read-screen.ts'
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

async function account(answers: Answers = {}, crossAppProvider = true) {
  const fixture = await makeFixture({
    answers: {
      me: () => visitorUser,
      connectedApps: () => ({ apps: [...apps] }),
      endConnectedApp: () => ({ success: true }),
      ...answers,
    },
    app: { crossAppProvider },
    standalone: true,
  })
  fixture.session.accept(makeAuthAnswer({ user: visitorUser }))
  void fixture.dialog.runStandalone()
  await comes(() => fixture.state('SIGNED_IN'))
  return fixture
}
/** Screens are loaded when they are gone to, which takes as long as it takes. */
const comes = (isThere: () => unknown) => vi.waitFor(isThere, { timeout: 20_000, interval: 5 })

async function open(answers: Answers = {}) {
  const fixture = await account(answers)
  const [row] = fixture.state('SIGNED_IN').entries
  if (row) pressIn(row, 'open', [])
  await comes(() => expect(fixture.state('CONNECTED_APPS_SCREEN').status).not.toBe('reading'))
  return fixture
}
const names = (fixture: Awaited<ReturnType<typeof open>>) => {
  const state = fixture.state('CONNECTED_APPS_SCREEN')
  return state.status === 'read' ? state.apps.map(({ name }) => name) : state.status
}

describe('the connected apps of a user', () => {
  test('say who they are, since when, what they may and when they last did', async () => {
    const fixture = await open()
    expect(fixture.state('CONNECTED_APPS_SCREEN')).toEqual({
      status: 'read',
      change: undefined,
      dapps: [],
      connects: false,
      apps: [
        {
          id: 'connection-1',
          name: 'Harbour',
          origin: 'https://harbour.example',
          scopes: ['openid', 'wallet.read', 'wallet.send'],
          address: walletAddress,
          dailyUsd: 250,
          sinceMs: 1_767_225_600_000,
          lastUsedMs: 1_767_312_000_000,
        },
        expect.objectContaining({ name: 'Tide Tables', dailyUsd: null, lastUsedMs: undefined }),
      ],
    })
    const texts = await fixture.texts()
    for (const text of [
      'Harbour',
      'harbour.example',
      'See the address of this wallet',
      'Ask you to send transactions, up to $250 a day',
      'Jan 1, 2026',
      'Jan 2, 2026',
    ]) {
      expect(texts).toContain(text)
    }
    expect(texts.join(' ')).toContain('Not used yet')
    await fixture.back()
    expect(fixture.screen()).toBe('SIGNED_IN')
  })

  test('are a row of the account only where users of the app may use their wallets elsewhere', async () => {
    const rows = async (isProvider: boolean) => (await account({}, isProvider)).state('SIGNED_IN').entries
    expect((await rows(true)).length - (await rows(false)).length).toBe(1)
  })

  test('are none for who has connected none', async () => {
    const fixture = await open({ connectedApps: () => ({ apps: [] }) })
    expect(await fixture.texts()).toContain('No other app can use your wallet.')
  })

  test('can be asked for again where the server did not answer', async () => {
    let isThere = false
    const fixture = await open({
      connectedApps() {
        if (!isThere) throw refused('internal_error', 500)
        return { apps: [...apps] }
      },
    })
    expect(fixture.state('CONNECTED_APPS_SCREEN')).toEqual({ status: 'failed' })
    isThere = true
    await fixture.press('CONNECTED_APPS_SCREEN', 'retry')
    expect(names(fixture)).toEqual(['Harbour', 'Tide Tables'])
  })
})

describe('a connected app', () => {
  test('is disconnected once its user has said so a second time, and is gone from the list', async () => {
    const fixture = await open()
    await fixture.press('CONNECTED_APPS_SCREEN', 'end', 'connection-1')
    await comes(() => expect(fixture.state('DISCONNECT_APP_SCREEN').ending).toBe('asked'))
    expect(await fixture.texts()).toContain('Disconnect Harbour?')
    expect(fixture.transport.calls('endConnectedApp')).toEqual([])
    await fixture.press('DISCONNECT_APP_SCREEN', 'end')
    expect(fixture.transport.calls('endConnectedApp')).toMatchObject([{ body: { id: 'connection-1' } }])
    expect(names(fixture)).toEqual(['Tide Tables'])
    expect(await fixture.texts()).toContain('Harbour is disconnected.')
    await fixture.back()
    expect(fixture.screen()).toBe('SIGNED_IN')
  })

  test('stays where its user keeps it, or goes back', async () => {
    const fixture = await open()
    for (const stay of [() => fixture.press('DISCONNECT_APP_SCREEN', 'keep'), () => fixture.back()]) {
      await fixture.press('CONNECTED_APPS_SCREEN', 'end', 'connection-1')
      await comes(() => fixture.state('DISCONNECT_APP_SCREEN'))
      await stay()
      expect(names(fixture)).toEqual(['Harbour', 'Tide Tables'])
    }
    expect(fixture.transport.calls('endConnectedApp')).toEqual([])
  })

  test('stays where the server did not answer, and can be disconnected again', async () => {
    let isThere = false
    const fixture = await open({
      endConnectedApp() {
        if (!isThere) throw refused('internal_error', 500)
        return { success: true }
      },
    })
    await fixture.press('CONNECTED_APPS_SCREEN', 'end', 'connection-2')
    await comes(() => fixture.state('DISCONNECT_APP_SCREEN'))
    await fixture.press('DISCONNECT_APP_SCREEN', 'end')
    expect(fixture.state('DISCONNECT_APP_SCREEN')).toEqual({ name: 'Tide Tables', ending: 'failed' })
    isThere = true
    await fixture.press('DISCONNECT_APP_SCREEN', 'end')
    expect(names(fixture)).toEqual(['Harbour'])
  })

  test('that somebody else has disconnected meanwhile is gone', async () => {
    const fixture = await open({
      endConnectedApp() {
        throw refused('not_found', 404)
      },
    })
    await fixture.press('CONNECTED_APPS_SCREEN', 'end', 'connection-1')
    await comes(() => fixture.state('DISCONNECT_APP_SCREEN'))
    await fixture.press('DISCONNECT_APP_SCREEN', 'end')
    expect(names(fixture)).toEqual(['Tide Tables'])
  })

  test('can not be left while the server is asked to disconnect it', async () => {
    const answered = Promise.withResolvers<{ success: true }>()
    const fixture = await open({ endConnectedApp: () => answered.promise })
    await fixture.press('CONNECTED_APPS_SCREEN', 'end', 'connection-1')
    await comes(() => fixture.state('DISCONNECT_APP_SCREEN'))
    await fixture.press('DISCONNECT_APP_SCREEN', 'end')
    await fixture.press('DISCONNECT_APP_SCREEN', 'end')
    await fixture.back()
    expect(fixture.state('DISCONNECT_APP_SCREEN').ending).toBe('under way')
    answered.resolve({ success: true })
    await comes(() => expect(names(fixture)).toEqual(['Tide Tables']))
    expect(fixture.transport.calls('endConnectedApp')).toHaveLength(1)
  })
})

describe('dapps that were connected by a link', () => {
  const dapp: ConnectedDapp = {
    id: 'session-1',
    name: 'Tide Market',
    url: 'https://market.tides.example',
    sinceMs: 1_767_225_600_000,
    lastUsedMs: undefined,
  }
  async function openWith(change: Partial<Dapps> = {}, app: object = {}) {
    let present: readonly ConnectedDapp[] = [dapp]
    let changed = () => {}
    const ended: string[] = []
    const dapps: Dapps = {
      list: async () => present,
      async end(id) {
        ended.push(id)
        present = []
      },
      connect: async () => undefined,
      onChange(listener) {
        changed = listener
        return () => {}
      },
      ...change,
    }
    const fake = { name: 'dapp-connections', loadedFor: 'nobody' as const, bring: () => ({ dapps }) }
    const others = capabilities.filter(({ name }) => name !== fake.name)
    const fixture = await makeFixture({
      answers: { me: () => walletUser, connectedApps: () => ({ apps: [] }) },
      app: { crossAppProvider: false, dappConnections: true, walletConnectCloudProjectId: 'project', ...app },
      addresses: { walletConnect: 'wss://relay.example' },
      standalone: true,
      capabilities: [...others, fake],
    })
    fixture.session.accept(makeAuthAnswer({ user: walletUser }))
    void fixture.dialog.runStandalone()
    await comes(() => fixture.state('SIGNED_IN'))
    for (const row of fixture.state('SIGNED_IN').entries) {
      pressIn(row, 'open', [])
      await settle()
      if (fixture.screen() === 'CONNECTED_APPS_SCREEN') break
      await fixture.back()
    }
    await comes(() => expect(fixture.state('CONNECTED_APPS_SCREEN').status).toBe('read'))
    const set = (dapps: readonly ConnectedDapp[]) => {
      present = dapps
      changed()
    }
    return { ...fixture, ended, set }
  }

  test('are listed of this browser, and no server is asked where the app has nothing else', async () => {
    const fixture = await openWith()
    expect(fixture.state('CONNECTED_APPS_SCREEN')).toMatchObject({ dapps: [dapp], connects: true })
    expect(fixture.transport.calls('connectedApps')).toEqual([])
    const texts = await fixture.texts()
    for (const text of ['Tide Market', 'market.tides.example', 'Jan 1, 2026', 'Connect with a link']) {
      expect(texts).toContain(text)
    }
    expect(texts.join(' ')).toContain('in this browser. Nobody has verified this site.')
  })

  test('are ended by their user, and the dapp is told by whoever connected it', async () => {
    const fixture = await openWith()
    await fixture.press('CONNECTED_APPS_SCREEN', 'endDapp', dapp.id)
    await comes(() => fixture.state('DISCONNECT_APP_SCREEN'))
    await fixture.press('DISCONNECT_APP_SCREEN', 'end')
    expect(fixture.ended).toEqual(['session-1'])
    expect(fixture.state('CONNECTED_APPS_SCREEN')).toMatchObject({
      dapps: [],
      change: { what: 'ended', name: 'Tide Market' },
    })
  })

  test('come and go while their user looks', async () => {
    const fixture = await openWith()
    fixture.set([])
    await comes(() => expect(fixture.state('CONNECTED_APPS_SCREEN')).toMatchObject({ dapps: [] }))
  })

  test('are said once they are connected, and nothing where their user left', async () => {
    const left = await openWith()
    await left.press('CONNECTED_APPS_SCREEN', 'connect')
    expect(left.state('CONNECTED_APPS_SCREEN')).toMatchObject({ change: undefined })
    const fixture = await openWith({ connect: async () => 'Tide Market' })
    await fixture.press('CONNECTED_APPS_SCREEN', 'connect')
    await comes(async () => expect(await fixture.texts()).toContain('Tide Market is connected.'))
  })

  test.each([
    ['the operator has not turned them on', { dappConnections: false }],
    ['there is no project at the relay', { walletConnectCloudProjectId: null }],
  ])('are offered to nobody where %s', async (_why, app) => {
    const fixture = await openWith({}, { crossAppProvider: true, ...app })
    expect(fixture.state('CONNECTED_APPS_SCREEN')).toMatchObject({ dapps: [], connects: false })
    expect(await fixture.texts()).not.toContain('Connect with a link')
  })
})
