/** A minimal dialog for browser tests. Its events are recorded on its `window`. */
import { LatchkeyError } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import { dialogMessages, type HostEvent, hostContract, type LoginResult } from '@latchkey/protocol/host'

const user: LoginResult['user'] = {
  id: 'user1',
  createdAt: 1,
  displayName: 'mira@fieldnotes.app',
  linkedAccounts: [
    { type: 'email', address: 'mira@fieldnotes.app', verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 },
  ],
  mfaMethods: [],
  hasAcceptedTerms: false,
}

const origin = new URLSearchParams(location.search).get('origin') ?? ''
const events: string[] = []
Reflect.set(window, 'heard', events)
let finish: ((end: 'ok' | 'exit') => void) | undefined
let tokens = 0

const warningsFor = ({ captchaEnabled }: { captchaEnabled?: boolean | undefined }) =>
  captchaEnabled ? ['captchaEnabled does nothing here'] : []

/** Sends an event of a later release or an invalid one, and records how the loader responds. */
const sendInvalidEvent = (event: object) =>
  channel.call('event', event as HostEvent).then(
    () => events.push(`${JSON.stringify(event)}: ignored`),
    (error: LatchkeyError) => events.push(`${JSON.stringify(event)}: ${error.code}`),
  )

const channel = openChannel({
  contract: hostContract,
  side: 'child',
  receives: dialogMessages,
  target: { window: window.parent, origin },
  handlers: {
    hello(hello) {
      document.documentElement.style.colorScheme = hello.colorScheme
      document.title = JSON.stringify(hello)
      sendInvalidEvent({ type: 'lunch', with: 'soup' })
      sendInvalidEvent({ type: 'ready', authenticated: 'maybe' })
      channel.call('event', { type: 'ready', authenticated: false }).catch(() => {})
      return {
        protocol: 1,
        dialog: 'test',
        authenticated: false,
        capabilities: ['login', 'fly'],
        warnings: warningsFor(hello.config),
      }
    },
    configure({ config, colorScheme }) {
      document.documentElement.style.colorScheme = colorScheme
      document.title = JSON.stringify({ config, colorScheme })
      return { warnings: warningsFor(config) }
    },
    viewport(viewport) {
      document.body.dataset.viewport = JSON.stringify(viewport)
      return {}
    },
    async login(_data, { signal }) {
      events.push('login')
      const { viewport } = await channel.call('show', {})
      document.body.dataset.viewport = JSON.stringify(viewport)
      await new Promise(requestAnimationFrame)
      await channel.call('event', { type: 'open' })
      const end = await new Promise<'ok' | 'exit'>((resolve) => {
        finish = resolve
        events.push('drawn')
        const takeBack = () => {
          events.push('login cancelled')
          resolve('exit')
        }
        if (signal.aborted) takeBack()
        else signal.addEventListener('abort', takeBack)
      })
      await channel.call('hide', {})
      // A test may delay the response.
      await Reflect.get(window, 'beforeAnswer')
      if (end === 'exit') throw new LatchkeyError('exited_auth_flow', 'The user closed the dialog')
      await channel.call('event', { type: 'login', user })
      await channel.call('event', { type: 'tokenGranted' })
      return {
        user,
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
    user: () => ({ user: events.includes('login') ? user : null }),
    accessToken() {
      tokens += 1
      return { token: `token${tokens}`, expiresInSeconds: 900 }
    },
    more({ call }) {
      throw new LatchkeyError('must_be_authenticated', `Log in first to ${call}`)
    },
    read: () => ({ result: null }),
    moreForUser: ({ call }) => (call === 'signMessage' ? new Promise<never>(() => {}) : { user }),
  },
})

for (const end of ['ok', 'exit'] as const) {
  document.getElementById(end)?.addEventListener('click', () => finish?.(end))
}
addEventListener('keydown', ({ key }) => key === 'Escape' && finish?.('exit'))
