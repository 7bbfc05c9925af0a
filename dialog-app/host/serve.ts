/** The dialog's side of boundary 1: serves the host's calls, tells it what happens, shows and hides the frame. */
import { type ClientConfig, channelLimits, LatchkeyError } from '@latchkey/protocol'
import { type Channel, type ChannelTarget, openChannel } from '@latchkey/protocol/channel'
import { type HostContract, type HostEvent, type HostViewport, hostContract } from '@latchkey/protocol/host'
import type { CallServed } from '../core/host-calls.ts'
import type { FrameHost } from '../core/ports.ts'
import type { HostColorScheme } from '../core/settings.ts'
import type { Session } from '../session/session.ts'
import { dialogVersion } from '../version.ts'
import { hostUser } from './host-user.ts'

export type HostPorts = {
  readonly target: ChannelTarget
  readonly session: Session
  /** The flows, which a host that only asks for a token never needs. */
  readonly dialog: () => Promise<{ readonly call: CallServed }>
  readonly configure: (config: ClientConfig, colorScheme: HostColorScheme) => void
  readonly setViewport: (viewport: HostViewport) => void
}

export type HostLink = FrameHost & { readonly destroy: () => void }

export function serveHost(ports: HostPorts): HostLink {
  const { session, dialog } = ports
  const waiting = { signal: new AbortController().signal }

  const channel: Channel<HostContract['parent']> = openChannel({
    contract: hostContract,
    side: 'child',
    target: ports.target,
    handlers: {
      hello({ protocol, config, colorScheme }) {
        const { protocolVersion, oldestProtocolVersion } = channelLimits
        if (protocol < oldestProtocolVersion || protocol > protocolVersion) {
          throw new LatchkeyError('unsupported_protocol', `Protocol version ${protocol} is not supported`, {
            details: { supported: [oldestProtocolVersion, protocolVersion] },
          })
        }
        ports.configure(config, colorScheme)
        announceReady()
        return {
          protocol: protocolVersion,
          dialog: dialogVersion,
          authenticated: seemsAuthenticated(session),
        }
      },
      configure({ config, colorScheme }) {
        ports.configure(config, colorScheme)
        return {}
      },
      viewport(viewport) {
        ports.setViewport(viewport)
        return {}
      },
      login: async (data) => (await dialog()).call('login', data, waiting),
      async logout() {
        await session.logout()
        return {}
      },
      async user() {
        const user = await session.user()
        return { user: user && hostUser(user) }
      },
      async accessToken() {
        const granted = await session.hostToken()
        return granted ?? { token: null, expiresAt: null }
      },
      createWallet: async (data) => (await dialog()).call('createWallet', data, waiting),
      signMessage: async (data) => (await dialog()).call('signMessage', data, waiting),
    },
  })

  /** Nobody waits for the host to hear it. */
  function tell(event: HostEvent) {
    channel.call('event', event).catch(() => {})
  }

  /** Once for each document of the host: after its first message, when it is known who is logged in. */
  function announceReady() {
    session.start().then(
      (state) => tell({ type: 'ready', authenticated: state.status === 'authenticated' }),
      () => tell({ type: 'ready', authenticated: false }),
    )
  }

  session.subscribe((state, before) => {
    switch (state.status) {
      case 'authenticated': {
        const user = hostUser(state.user)
        if (before.status === 'authenticated') {
          tell({ type: 'user', user })
          return
        }
        // A session that was there before is no login.
        tell(before.status === 'visitor' ? { type: 'login', user } : { type: 'user', user })
        tell({ type: 'tokenGranted' })
        return
      }
      case 'visitor':
        if (before.status !== 'authenticated') return
        tell({ type: 'logout' })
        tell({ type: 'user', user: null })
        tell({ type: 'tokenRemoved' })
        return
      case 'unknown':
        return
      default:
        state satisfies never
    }
  })

  return {
    async show() {
      const { viewport } = await channel.call('show', {})
      ports.setViewport(viewport)
      tell({ type: 'open' })
    },
    hide() {
      channel.call('hide', {}).catch(() => {})
      tell({ type: 'close' })
    },
    destroy: channel.destroy,
  }
}

/** Before the server was asked: what the browser kept. */
function seemsAuthenticated(session: Session): boolean {
  try {
    return session.hasCredentials()
  } catch {
    return false
  }
}

/** Alone on its page: there is nothing to show or hide. */
export const noHost: FrameHost = { show: async () => {}, hide: () => {} }
