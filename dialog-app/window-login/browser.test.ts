import { describe, expect, test, vi } from 'vitest'
import { type OwnWindow, windowBrowser } from './browser.ts'

type Heard = Parameters<Parameters<OwnWindow['addEventListener']>[1]>[0]

function makeWindow(open: OwnWindow['open']) {
  let hear: ((message: Heard) => void) | undefined
  const own: OwnWindow = {
    location: { origin: 'https://dialog.example', href: 'https://dialog.example/apps/a/dialog' },
    top: { location: { href: 'https://host.example/' } },
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
test("computes RFC 7636's example challenge, and creates secrets of 36 bytes", async () => {
  const browser = windowBrowser(makeWindow(() => null).own)
  expect(await browser.createChallenge('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
  expect(browser.secret()).toMatch(/^[\w-]{48}$/)
  expect(browser.secret()).not.toBe(browser.secret())
})

test('navigates the whole page instead of the frame', () => {
  const { own } = makeWindow(() => null)
  windowBrowser(own).leaveFor('https://dialog.example/oauth/start/x')
  expect(own.top?.location.href).toBe('https://dialog.example/oauth/start/x')
  expect(own.location.href).toBe('https://dialog.example/apps/a/dialog')
})

describe('provider window', () => {
  // spec L9.8
  test('has another size if requested', () => {
    const opened = vi.fn<OwnWindow['open']>(() => null)
    const size = { popupWidthPx: 400, popupHeightPx: 680 }
    windowBrowser(makeWindow(opened).own).open('/cross-app/start/x', size)
    expect(opened.mock.calls[0]?.[2]).toBe('popup,width=400,height=680,left=400,top=110')
  })

  test('is 440 by 680, centred on its opener', () => {
    const opened = vi.fn<OwnWindow['open']>(() => null)
    expect(windowBrowser(makeWindow(opened).own).open('/oauth/start/x')).toBeUndefined()
    expect(opened.mock.calls).toEqual([
      ['/oauth/start/x', '_blank', 'popup,width=440,height=680,left=380,top=110'],
    ])
  })

  test('delivers its messages with their origin, and ignores other windows', () => {
    const opened = { closed: false, close: () => {}, postMessage: () => {} }
    const { own, say } = makeWindow(() => opened)
    const heard: (readonly [unknown, string])[] = []
    windowBrowser(own)
      .open('/oauth/start/x')
      ?.listen((...said) => heard.push(said), new AbortController().signal)
    const source = opened as unknown as Heard['source']
    const stranger = { closed: false } as unknown as Heard['source']
    say({ origin: 'https://dialog.example', source: stranger, data: 'of another window' })
    expect(heard).toEqual([])
    say({ origin: 'https://provider.example', source, data: 'theirs' })
    say({ origin: 'https://dialog.example', source, data: 'ours' })
    expect(heard).toEqual([
      ['theirs', 'https://provider.example'],
      ['ours', 'https://dialog.example'],
    ])
  })

  test("receives messages only on the dialog's origin", () => {
    const postMessage = vi.fn()
    const { own } = makeWindow(() => ({ closed: false, close: () => {}, postMessage }))
    windowBrowser(own).open('/oauth/start/x')?.tell('ours')
    expect(postMessage.mock.calls).toEqual([['ours', 'https://dialog.example']])
  })
})

test('signs with a non-extractable key that its public key verifies', async () => {
  const { publicKey, sign } = await windowBrowser(makeWindow(() => null).own).startKey()
  expect(publicKey).toMatch(/^B[\w-]{86}$/)
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const point = await crypto.subtle.importKey('raw', Buffer.from(publicKey, 'base64url'), algorithm, true, [
    'verify',
  ])
  const isOf = async (text: string, signature: string) =>
    crypto.subtle.verify(algorithm, point, Buffer.from(signature, 'base64url'), Buffer.from(text))
  const signature = await sign('a text')
  expect(await isOf('a text', signature)).toBe(true)
  expect(await isOf('another', signature)).toBe(false)
})

test('creates all hundred values of two digits', () => {
  const { digits } = windowBrowser(makeWindow(() => null).own)
  const seen = new Set(Array.from({ length: 5_000 }, digits))
  expect(seen.size).toBe(100)
  for (const each of seen) expect(each).toMatch(/^[0-9]{2}$/)
})
