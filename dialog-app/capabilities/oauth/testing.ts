/** Windows at a provider that a test opens, closes and speaks for; a browser without windows is one that blocks them. */
import { createHash } from 'node:crypto'
import { capabilities } from '../index.ts'
import type { OAuthBrowser, ProviderWindow } from './browser.ts'
import { oauth } from './oauth.ts'
import { oauthMethod } from './oauth-login.ts'
import type { SocialProvider } from './providers.ts'

export type FakeWindow = {
  readonly address: string
  readonly say: (data: unknown) => void
  /** By its user; or a page in it has an opener policy, which reads the same. */
  closes: () => void
  readonly wasClosed: () => boolean
}

export type FakeBrowser = OAuthBrowser & {
  readonly windows: readonly FakeWindow[]
  readonly block: (isBlocking: boolean) => void
}

export function makeFakeBrowser(userAgent = 'Mozilla/5.0 Chrome/140'): FakeBrowser {
  const windows: FakeWindow[] = []
  let isBlocking = false
  let secrets = 0
  const open = (address: string): ProviderWindow | undefined => {
    let isClosed = false
    let wasClosed = false
    let hear: ((data: unknown) => void) | undefined
    windows.push({
      address,
      say: (data) => hear?.(data),
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
      listen(listener, signal) {
        hear = listener
        signal.addEventListener('abort', () => {
          hear = undefined
        })
      },
    }
  }
  return {
    origin: 'http://dialog.localhost:4000',
    userAgent,
    secret: () => {
      secrets += 1
      return `secret-${secrets}`.padEnd(48, '_')
    },
    challengeOf: async (secret) => createHash('sha256').update(secret).digest('base64url'),
    open,
    windows,
    block(blocks) {
      isBlocking = blocks
    },
  }
}

/** Every capability, with another browser behind this one. */
export function capabilitiesIn(browser: OAuthBrowser) {
  const inBrowser = {
    ...oauth,
    bring(ports: Parameters<typeof oauth.bring>[0]) {
      const { login } = oauth.bring(ports)
      return {
        login: login.map((offered) => ({
          ...offered,
          load: async () => oauthMethod(ports, offered.method as SocialProvider, browser),
        })),
      }
    },
  }
  return capabilities.map((each) => (each.name === 'oauth' ? inBrowser : each))
}
