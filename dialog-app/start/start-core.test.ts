import type { ClientConfig } from '@latchkey/protocol'
import { apiRoutes } from '@latchkey/protocol/api'
import { describe, expect, test } from 'vitest'
import { browserRandom } from '../browser/browser-ports.ts'
import { noMarker } from '../session/marker.ts'
import { makeFakeProofKeys } from '../testing/api-server.ts'
import { settle } from '../testing/clock.ts'
import { emptyPage, makeBrowser, makeFakeWallet } from '../testing/fixture.ts'
import { inlineConfig, makeAuthAnswer, visitorUser } from '../testing/fixtures.ts'
import { makeFakeNetwork } from '../testing/network.ts'
import { type BrowserPorts, startCore } from './start-core.ts'

/** A page with an unreachable server, and a host page that the test controls. */
function start(change: Partial<BrowserPorts> = {}) {
  const browser = makeBrowser()
  const wallet = makeFakeWallet()
  const told: unknown[] = []
  let host: Parameters<NonNullable<BrowserPorts['serveHost']>>[0] | undefined
  const running = startCore(inlineConfig, {
    ...browser,
    network: makeFakeNetwork(),
    fetch: () => Promise.reject(new TypeError('offline')),
    random: browserRandom,
    notices: browser.notices(),
    marker: noMarker,
    proofKeys: makeFakeProofKeys(),
    loadWallet: async () => wallet,
    serveHost(ports) {
      host = ports
      return {
        show: async () => {},
        drawn: () => {},
        hide: () => {},
        tellPage: (event) => void told.push(event),
        page: emptyPage,
      }
    },
    dialog: () => new Promise(() => {}),
    idleSettings: () => [],
    parameters: '',
    whenIdle: (run) => run(),
    callWaits: false,
    ...change,
  })
  return {
    running,
    wallet,
    told,
    configure: (config: ClientConfig = {}) => host?.configure(config, 'light'),
    setViewport: (heightPx: number, address?: string) =>
      host?.setViewport({
        heightPx,
        offsetTopPx: 0,
        insets: { top: 0, right: 0, bottom: 0, left: 0 },
        ...(address !== undefined && { address }),
      }),
  }
}

// spec W7.34
describe('logout', () => {
  test('makes the wallet frame clear the second factor of that user, and only then', async () => {
    const { running, wallet } = start()
    running.session.accept(makeAuthAnswer())
    await settle()
    expect(wallet.log).not.toContain(`forget ${visitorUser.id}`)
    await Promise.race([running.session.logout(), settle()])
    await settle()
    expect(wallet.log).toContain(`forget ${visitorUser.id}`)
  })
})

describe('host page settings', () => {
  test("are unchanged while the card's space changes, but not when the page's URL does", () => {
    const { running, setViewport } = start()
    const settings: (string | undefined)[] = []
    const heights: number[] = []
    running.onSettings(({ pageAddress }) => settings.push(pageAddress))
    running.onViewport(({ heightPx }) => heights.push(heightPx))
    setViewport(800)
    setViewport(700, 'https://shop.example/a')
    setViewport(600, 'https://shop.example/a')
    expect(heights).toEqual([800, 700, 600])
    expect(running.viewport()?.heightPx).toBe(600)
    expect(settings).toEqual(['https://shop.example/a'])
    expect(running.settings().pageAddress).toBe('https://shop.example/a')
  })

  test('emit a chain change to the page, except for the first ones', () => {
    const { configure, told, running } = start()
    configure({ defaultChain: 10 })
    configure({ defaultChain: 10, appearance: { theme: 'dark' } })
    expect(told).toEqual([])
    configure({ defaultChain: 1 })
    expect(told).toEqual([{ name: 'chainChanged', data: { chainId: 1 } }])
    expect(running.settings().config.defaultChain).toBe(1)
  })

  test('request the logo from the loader if the page may not load it', () => {
    const { configure, told } = start()
    configure({ appearance: { logo: 'data:image/png;base64,AAAA' } })
    expect(told).toEqual([])
    configure({ appearance: { logo: 'https://cdn.example/logo.png' } })
    expect(told).toEqual([{ name: 'logo', data: {} }])
  })

  test('set the language of later calls too', async () => {
    const said: unknown[] = []
    const { configure, running } = start({
      fetch: async (address, init) => {
        if (String(address).endsWith('/api/v1/passwordless/init'))
          said.push(new Headers(init?.headers).get('accept-language'))
        throw new TypeError('offline')
      },
    })
    const send = () => {
      said.length = 0
      running.api.call(apiRoutes.sendEmailCode, { email: 'ada@example.org' }).catch(() => {})
      return settle()
    }
    await send()
    expect(said).toEqual(['en'])
    configure({ intl: { locale: 'ar-EG' } })
    await send()
    expect(said).toEqual(['ar'])
    configure({ intl: { locale: 'tlh' } })
    await send()
    expect(said).toEqual(['en'])
  })

  const isKnown = async ({ running }: ReturnType<typeof start>) => {
    let known = false
    running.configured.then(() => {
      known = true
    })
    await settle()
    return known
  }

  test('are awaited in a frame, and absent on a standalone page', async () => {
    const framed = start()
    expect(await isKnown(framed)).toBe(false)
    framed.configure()
    expect(await isKnown(framed)).toBe(true)
    expect(await isKnown(start({ serveHost: undefined }))).toBe(true)
  })
})

describe('return from a full-page login', () => {
  const isOver = async ({ running }: ReturnType<typeof start>) => {
    let over = false
    void running.resumed().then(() => {
      over = true
    })
    await settle()
    return over
  }

  test('ends when the dialog has continued it, for a waiting standalone page with its login', async () => {
    const goingOn = Promise.withResolvers<void>()
    const came: string[] = []
    const back = start({
      serveHost: undefined,
      parameters: 'latchkey_oauth_code=code-1',
      dialog: async () => ({
        logIn: () => new Promise(() => {}),
        hostLogin: () => new Promise(() => {}),
        callByName: () => new Promise(() => {}),
        resume(parameters) {
          came.push(`${parameters}`)
          return goingOn.promise
        },
      }),
    })
    expect(await isOver(back)).toBe(false)
    expect(came).toEqual(['latchkey_oauth_code=code-1'])
    goingOn.resolve()
    expect(await isOver(back)).toBe(true)
  })

  test('is absent if nothing returned or its code did not load', async () => {
    expect(await isOver(start())).toBe(true)
    const parameters = 'latchkey_oauth_code=code-1'
    const dialog = () => Promise.reject(new Error('Not there'))
    expect(await isOver(start({ serveHost: undefined, parameters, dialog }))).toBe(true)
  })
})

describe('preloading', () => {
  test('waits for the focus of the card that the page was opened for, and then for an idle page', () => {
    const idle: (() => void)[] = []
    const { running } = start({ callWaits: true, whenIdle: (run) => void idle.push(run) })
    const loaded: string[] = []
    running.whenIdle(() => loaded.push('options'))
    expect(idle).toEqual([])
    running.deferral.release()
    expect(loaded).toEqual([])
    for (const run of idle) run()
    expect(loaded).toEqual(['options'])
  })

  test('waits for a card that opens before the page is idle', () => {
    const idle: (() => void)[] = []
    const { running } = start({ whenIdle: (run) => void idle.push(run) })
    const loaded: string[] = []
    running.whenIdle(() => loaded.push('options'))
    running.deferral.hold()
    for (const run of idle) run()
    expect(loaded).toEqual([])
    running.deferral.release()
    expect(loaded).toEqual(['options'])
  })
})
