import { product } from '@latchkey/protocol'
import { apiRoutes } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { browserRandom } from '../../browser/browser-ports.ts'
import { noMarker } from '../../session/marker.ts'
import { noSession } from '../../session/stored-session.ts'
import { type BrowserPorts, startCore } from '../../start/start-core.ts'
import { makeFakeProofKeys } from '../../testing/api-server.ts'
import { settle } from '../../testing/clock.ts'
import { makeBrowser, makeFakeTransport, makeFakeWallet, makeTab } from '../../testing/fixture.ts'
import { appId, inlineConfig, makeAuthAnswer, makeToken } from '../../testing/fixtures.ts'
import { makeFakeNetwork } from '../../testing/network.ts'
import { authorizationPage } from './page.ts'

const config = { ...inlineConfig, hostOrigin: null, handover: true } as const
const sessionName = product.storageName(appId, 'session')

async function start({ hash = '', search = '' } = {}) {
  const browser = makeBrowser()
  const before = makeTab(browser, makeFakeTransport({}))
  before.sessionStore.write({ ...noSession, accessToken: makeToken(), refreshToken: 'of-before' })
  const kept = browser.store.entries.get(sessionName)
  const fetched: (RequestInit | undefined)[] = []
  const wallet = makeFakeWallet()
  const page = await authorizationPage(config, { location: { hash, search }, document })
  const ports: BrowserPorts = {
    ...browser,
    network: makeFakeNetwork(),
    async fetch(_address, init) {
      fetched.push(init)
      throw new TypeError('offline')
    },
    random: browserRandom,
    notices: browser.notices(),
    marker: noMarker,
    proofKeys: makeFakeProofKeys(),
    loadWallet: async () => wallet,
    serveHost: undefined,
    dialog: () => new Promise(() => {}),
    idleSettings: () => [],
    parameters: '',
    whenIdle: (run) => run(),
    callWaits: false,
  }
  const running = page.coreFor(startCore(config, page.portsFor(ports)))
  await settle()
  return { browser, kept, page, running, wallet, fetched, before }
}
/** Unused by these tests, because they post no form. */
const document = {} as Document

describe('the ports of the authorization page', () => {
  test('starts without a user, and leaves the session of the dialog unchanged', async () => {
    const { running, browser, kept, before } = await start()
    expect((await running.session.start()).status).toBe('visitor')
    running.session.accept(makeAuthAnswer({ refreshToken: 'of-here' }))
    expect(running.session.state().status).toBe('authenticated')
    expect(browser.store.entries.get(sessionName)).toBe(kept)
    await Promise.race([running.session.logout(), settle()])
    expect(running.session.state().status).toBe('visitor')
    expect(browser.store.entries.get(sessionName)).toBe(kept)
    expect(before.session.hasCredentials()).toBe(true)
  })

  test('sends and accepts no cookies', async () => {
    const { running, fetched } = await start()
    running.api.call(apiRoutes.sendEmailCode, { email: 'ada@example.org' }).catch(() => {})
    await settle()
    expect(fetched[0]?.credentials).toBe('omit')
    expect(new Set(fetched.map((init) => init?.credentials))).toEqual(new Set(['omit']))
  })

  test('loads no wallet frame, and creates no wallet', async () => {
    const { running, wallet } = await start()
    running.session.accept(makeAuthAnswer())
    running.wallet.prepare()
    running.wallet.prepareOperation()
    await settle()
    expect(wallet.log).toEqual([])
    expect(running.wallet.loginVault()).toBeUndefined()
    expect(running.settings().config.embeddedWallets).toEqual({ createOnLogin: 'off' })
  })

  test.each([
    ['', 'en', 'Log in to Demo to connect your wallet'],
    ['?locale=ar-EG', 'ar', 'سجّل الدخول إلى Demo لتوصيل محفظتك'],
  ])('shows the purpose of the login in the language of the user (%j)', async (search, language, words) => {
    const { running } = await start({ search })
    expect(running.language()).toBe(language)
    expect(running.settings().config.appearance?.landingHeader).toBe(words)
  })
})
