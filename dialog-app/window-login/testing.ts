/** Fake windows that a test opens, closes and posts messages from, and a fake browser that can block them. */
import { createHash } from 'node:crypto'
import type { Hear, LoginWindow, PopupSize, WindowBrowser } from './browser.ts'

export type FakeWindow = {
  address: string
  /** Undefined for the default size. */
  size: PopupSize | undefined
  /** Posts a message from the window, by default from the dialog's origin. */
  say: (data: unknown, origin?: string) => void
  /** The user closes it, or its page has an opener policy, which looks the same. */
  closes: () => void
  wasClosed: () => boolean
  /** The messages that its pages received. */
  postedMessages: readonly unknown[]
}

export type FakeBrowser = WindowBrowser & {
  windows: readonly FakeWindow[]
  /** The URLs that the whole page was navigated to. */
  pages: readonly string[]
  block: (isBlocking: boolean) => void
}

const origin = 'http://dialog.localhost:4000'

export function makeFakeBrowser(userAgent = 'Mozilla/5.0 Chrome/140'): FakeBrowser {
  const windows: FakeWindow[] = []
  const pages: string[] = []
  let isBlocking = false
  let secrets = 0
  const open = (address: string, size?: PopupSize): LoginWindow | undefined => {
    let isClosed = false
    let wasClosed = false
    const hearing = new Set<Hear>()
    const postedMessages: unknown[] = []
    windows.push({
      address,
      size,
      postedMessages,
      say(data, from = origin) {
        for (const hear of hearing) hear(data, from)
      },
      closes() {
        isClosed = true
      },
      wasClosed: () => wasClosed,
    })
    if (isBlocking) return undefined
    return {
      isClosed: () => isClosed,
      close() {
        isClosed = true
        wasClosed = true
      },
      tell: (message) => void postedMessages.push(message),
      listen(listener, signal) {
        hearing.add(listener)
        signal.addEventListener('abort', () => void hearing.delete(listener))
      },
    }
  }
  return {
    origin,
    address: `${origin}/apps/app/dialog`,
    userAgent,
    leaveFor: (address) => void pages.push(address),
    pages,
    secret: () => {
      secrets += 1
      return `secret-${secrets}`.padEnd(48, '_')
    },
    createChallenge: async (secret) => createHash('sha256').update(secret).digest('base64url'),
    startKey: async () => ({ publicKey: 'k'.repeat(87), sign: async (text) => `signed_${text.length}` }),
    digits: () => '42',
    open,
    windows,
    block(blocks) {
      isBlocking = blocks
    },
  }
}
