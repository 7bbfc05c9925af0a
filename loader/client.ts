import type { ClientConfig, LatchkeyError } from '@latchkey/protocol'
import { type Connection, frameRemoved, type OpenConnection } from './connection.ts'
import type { LatchkeyEvents, Preload, Ready } from './latchkey.ts'
import { loaderLimits } from './limits.ts'
import { merge } from './merge.ts'
import type { LoginResult, SignedMessage, SignUi, User, WalletAccount } from './published.ts'
import { createTokenCache } from './token-cache.ts'

/** What all handles of an app on a page share: the frame, the configuration, the token. */
export type Client = {
  readonly appId: string
  readonly dialogUrl: string
  ready(): Promise<Ready>
  login(): Promise<LoginResult>
  logout(): Promise<void>
  getUser(): Promise<User | null>
  getAccessToken(): Promise<string | null>
  createWallet(): Promise<WalletAccount>
  signMessage(message: string, ui?: SignUi): Promise<SignedMessage>
  setConfig(config: ClientConfig): Promise<void>
  preload(when: Preload): void
  /** `CustomEvent`s named as in LatchkeyEvents, with what happened as their detail. */
  readonly events: EventTarget
  close(error: LatchkeyError): void
}

export type ClientOptions = {
  readonly appId: string
  readonly dialogUrl: string
  readonly open: OpenConnection
  readonly now: () => number
}

export function createClient({ appId, dialogUrl, open, now }: ClientOptions): Client {
  const events = new EventTarget()
  let config: ClientConfig = {}
  let connection: Connection | undefined
  let closed: LatchkeyError | undefined
  let wasReady = false

  const getUser = merge(async () => (await connect().call('user', {})).user)
  const tokens = createTokenCache(() => connect().call('accessToken', {}), now)

  function tell<Name extends keyof LatchkeyEvents>(name: Name, detail: LatchkeyEvents[Name]) {
    events.dispatchEvent(new CustomEvent(name, { detail }))
  }

  /** The dialog says it for each of its documents, once it knows who is logged in. */
  function becomeReady(state: Ready) {
    if (!state.authenticated) tokens.drop()
    if (!wasReady) tell('ready', state)
    wasReady = true
  }

  function connect(): Connection {
    if (closed) throw closed
    if (connection && !connection.isAlive()) connection.lose(frameRemoved())
    connection ??= open({
      appId,
      dialogUrl,
      config: () => config,
      onShown: (shown) => tell(shown ? 'open' : 'close', {}),
      onLost(error) {
        connection = undefined
        tokens.drop()
        if (!closed) tell('error', { error })
      },
      onEvent(event) {
        switch (event.type) {
          case 'ready':
            return becomeReady({ authenticated: event.authenticated })
          case 'login':
            return tell('login', { user: event.user })
          case 'user':
            return tell('user', { user: event.user })
          case 'logout':
            tokens.drop()
            return tell('logout', {})
          case 'tokenGranted':
            tokens.drop()
            return tellToken()
          case 'tokenRemoved':
            tokens.drop()
            return tell('token', { type: 'removed' })
          case 'open':
          case 'close':
            // The frame itself is what opens and closes: see onShown.
            return
          default:
            event satisfies never
        }
      },
    })
    return connection
  }

  /** The event carries no token, so it is asked for. */
  function tellToken() {
    tokens.get().then(
      (token) => token && tell('token', { type: 'granted', token }),
      () => {},
    )
  }

  function load() {
    if (!closed) connect().ready.catch(() => {})
  }

  return {
    appId,
    dialogUrl,
    ready: async () => ({ authenticated: (await getUser()) !== null }),
    login: merge(async () => connect().call('login', {})),
    async logout() {
      tokens.drop()
      await connect().call('logout', {})
      tokens.drop()
    },
    getUser,
    getAccessToken: async () => tokens.get(),
    createWallet: async () => (await connect().call('createWallet', {})).wallet,
    signMessage: async (message, ui) => connect().call('signMessage', { message, ...(ui && { ui }) }),
    async setConfig(next) {
      const before = config
      config = next
      if (!connection) return
      try {
        await connection.configure()
      } catch (error) {
        if (config === next) config = before
        throw error
      }
    },
    preload(when) {
      if (when === 'now') load()
      if (when === 'idle') whenIdle(load)
    },
    events,
    close(error) {
      closed = error
      connection?.lose(error)
    },
  }
}

/** After the page has what it needs for itself. */
function whenIdle(run: () => void) {
  const wait = () => {
    // Safari has none before 18.4.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: loaderLimits.idleTimeoutMs })
    else setTimeout(run)
  }
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}
