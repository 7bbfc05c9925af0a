import { describe, expect, test, vi } from 'vitest'
import { type OwnWindow, oauthBrowser } from './browser.ts'
import { canLogInHere } from './in-app-browser.ts'

type Heard = Parameters<Parameters<OwnWindow['addEventListener']>[1]>[0]

function makeWindow(open: OwnWindow['open']) {
  let hear: ((message: Heard) => void) | undefined
  const own: OwnWindow = {
    location: { origin: 'https://dialog.example' },
    navigator: { userAgent: 'Test' },
    screenX: 100,
    screenY: 50,
    outerWidth: 1_000,
    outerHeight: 800,
    open,
    addEventListener(_type, listener) {
      hear = listener
    },
  }
  return { own, say: (message: Heard) => hear?.(message) }
}

// spec L7.30
test("RFC 7636's verifier has its challenge, and secrets have 36 bytes of their own", async () => {
  const browser = oauthBrowser(makeWindow(() => null).own)
  expect(await browser.challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
  expect(browser.secret()).toMatch(/^[\w-]{48}$/)
  expect(browser.secret()).not.toBe(browser.secret())
})

describe('a window at a provider', () => {
  // spec L9.8
  test('is 440 by 680, in the middle of the one that it comes from', () => {
    const opened = vi.fn<OwnWindow['open']>(() => null)
    expect(oauthBrowser(makeWindow(opened).own).open('/oauth/start/x')).toBeUndefined()
    expect(opened.mock.calls).toEqual([
      ['/oauth/start/x', '_blank', 'popup,width=440,height=680,left=380,top=110'],
    ])
  })

  // spec L5.22
  test('is heard from our own origin alone, and no other window is', () => {
    const opened = { closed: false, close: () => {} }
    const { own, say } = makeWindow(() => opened)
    const heard: unknown[] = []
    oauthBrowser(own)
      .open('/oauth/start/x')
      ?.listen((data) => heard.push(data), new AbortController().signal)
    const source = opened as unknown as Heard['source']
    const stranger = { closed: false } as unknown as Heard['source']
    say({ origin: 'https://provider.example', source, data: 'of another origin' })
    say({ origin: 'https://dialog.example', source: stranger, data: 'of another window' })
    expect(heard).toEqual([])
    say({ origin: 'https://dialog.example', source, data: 'ours' })
    expect(heard).toEqual(['ours'])
  })
})

// spec L9.21, L2.43
describe('a browser inside of an app', () => {
  const webview =
    'Mozilla/5.0 (Linux; Android 15; wv) AppleWebKit/537.36 Version/4.0 Chrome/140.0 Mobile Safari/537.36'
  test.each([
    ['Facebook on iOS', `${webview} [FBAN/FBIOS;FBAV/470.0]`],
    ['Facebook on Android', `${webview} [FB_IAB/FB4A;FBAV/470.0;]`],
    ['Instagram', `${webview} Instagram 350.0 Android`],
    ['Snapchat', `${webview} Snapchat/13.0`],
    ['LinkedIn', `${webview} [LinkedInApp]/9.30`],
  ])('of %s refuses Google alone', (_name, userAgent) => {
    expect(canLogInHere('google', userAgent)).toBe(false)
    expect(canLogInHere('apple', userAgent)).toBe(true)
    expect(canLogInHere('linkedin', userAgent)).toBe(true)
  })

  test('any other browser takes Google', () => {
    for (const userAgent of [webview, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0']) {
      expect(canLogInHere('google', userAgent)).toBe(true)
    }
  })
})
