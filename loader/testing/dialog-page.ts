/** A dialog as small as the contract allows, with penpal and valibot themselves: the other end for browser checks. */
import { LatchkeyError } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import { hostContract, type LoginResult } from '@latchkey/protocol/host'

const user: LoginResult['user'] = {
  id: 'user1',
  createdAt: 1,
  linkedAccounts: [
    { type: 'email', address: 'mira@fieldnotes.app', verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 },
  ],
  mfaMethods: [],
  hasAcceptedTerms: false,
}

const origin = new URLSearchParams(location.search).get('origin') ?? ''
const asked: string[] = []
let finish: ((end: 'ok' | 'exit') => void) | undefined
let tokens = 0

const channel = openChannel({
  contract: hostContract,
  side: 'child',
  target: { window: window.parent, origin },
  handlers: {
    hello(hello) {
      asked.push('hello')
      document.documentElement.style.colorScheme = hello.colorScheme
      document.title = JSON.stringify(hello)
      channel.call('event', { type: 'ready', authenticated: false }).catch(() => {})
      return { protocol: 1, dialog: 'test', authenticated: false }
    },
    configure({ config, colorScheme }) {
      document.documentElement.style.colorScheme = colorScheme
      document.title = JSON.stringify({ config, colorScheme })
      return {}
    },
    viewport(viewport) {
      document.body.dataset.viewport = JSON.stringify(viewport)
      return {}
    },
    async login() {
      asked.push('login')
      const { viewport } = await channel.call('show', {})
      document.body.dataset.viewport = JSON.stringify(viewport)
      const end = await new Promise<'ok' | 'exit'>((resolve) => {
        finish = resolve
      })
      await channel.call('hide', {})
      if (end === 'exit') throw new LatchkeyError('exited_auth_flow', 'The user closed the dialog')
      await channel.call('event', { type: 'login', user: user })
      await channel.call('event', { type: 'tokenGranted' })
      return {
        user: user,
        isNewUser: true,
        wasAlreadyAuthenticated: false,
        loginMethod: 'email' as const,
        loginAccount: null,
      }
    },
    async logout() {
      await channel.call('event', { type: 'tokenRemoved' })
      await channel.call('event', { type: 'logout' })
      return {}
    },
    user: () => ({ user: asked.includes('login') ? user : null }),
    accessToken() {
      tokens += 1
      return { token: `token${tokens}`, expiresAt: Math.floor(Date.now() / 1000) + 900 }
    },
    createWallet() {
      throw new LatchkeyError('must_be_authenticated', 'Log in first')
    },
    signMessage: () => new Promise<never>(() => {}),
  },
})

for (const end of ['ok', 'exit'] as const) {
  document.getElementById(end)?.addEventListener('click', () => finish?.(end))
}
addEventListener('keydown', ({ key }) => key === 'Escape' && finish?.('exit'))
