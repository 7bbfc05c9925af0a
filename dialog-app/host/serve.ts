/** The dialog's side of boundary 1: serves the host's calls, tells it what happens, shows and hides the frame. */
import {
  type ClientConfig,
  channelLimits,
  findOwnAddress,
  LatchkeyError,
  product,
  type UserRecord,
} from '@latchkey/protocol'
import {
  type Channel,
  type ChannelTarget,
  type Handlers,
  openChannel,
  parse,
  type ServedBy,
} from '@latchkey/protocol/channel'
import {
  findPageWalletsMethod,
  type HostEvent,
  type HostViewport,
  hostContract,
  hostPageId,
  hostWalletsSchema,
  type LoaderCalls,
  type LoaderMessages,
} from '@latchkey/protocol/host'
import type * as v from 'valibot'
import type { FrameHost, HostPage, TellPage } from '../browser/ports.ts'
import { dialogVersion } from '../browser/version.ts'
import type { Cancellable } from '../browser/waiting.ts'
import type { Session, SessionState } from '../session/session.ts'
import type { Asked, HostCallContext, LogIn } from './host-calls.ts'
import { hostUser } from './host-user.ts'
import { receivedMessages, unknownKeyWarning } from './received-config.ts'

/** How the host's page looks, as it says itself. */
type HostColorScheme = v.InferOutput<typeof receivedMessages.calls.configure>['colorScheme']

/** What a host's calls need of the flows. */
export type HostFlows = {
  logIn: LogIn
  /** A call that few pages use, by its name. */
  callByName: (asked: Asked, context: HostCallContext) => Promise<unknown>
  /** With what came in the address of the page, until that is over. */
  resume: (parameters: URLSearchParams) => Promise<void>
}

export type HostPorts = {
  target: ChannelTarget
  session: Session
  /** Takes what came in the address of the host's page; resolves when the session that it starts has started. */
  receiveParameters: (parameters: string | undefined) => Promise<unknown>
  /** The flows, which a host that only asks for a token never needs. */
  dialog: () => Promise<HostFlows>
  configure: (config: ClientConfig, colorScheme: HostColorScheme) => void
  setViewport: (viewport: HostViewport) => void
  ownOrigins: readonly string[]
  /** Who still has to accept the terms is nobody to the host, whose app asks for that first. */
  isTold: (user?: UserRecord) => boolean
  /** Settings that are known and do nothing here, a sentence each, as they are now. */
  idleSettings: () => readonly string[]
}

export type HostLink = FrameHost & TellPage & { page: HostPage; destroy: () => void }

type CoreHandlers = Omit<
  Handlers<ServedBy<typeof receivedMessages, LoaderMessages>>,
  'login' | 'more' | 'read' | 'moreForUser'
>

export function serveHost(ports: HostPorts): HostLink {
  const { session, isTold } = ports
  const sayOnce = createOnce()
  /** Whatever is asked after a hello with a one-use code is answered for the session that the code starts. */
  let arrived: Promise<unknown> = Promise.resolve()

  const told = (user: UserRecord | null) => (user && isTold(user) ? hostUser(user) : undefined)
  /** Who it is, is waited for only where that decides: most apps have no terms to wait for. */
  const isKnown = async (options: Cancellable) => isTold() || told(await session.user(options)) !== undefined
  const userOf = (state: SessionState) => told(state.status === 'authenticated' ? state.user : null)

  /** Takes the configuration over; the answer says what of it does nothing. */
  function configure({ config, colorScheme }: v.InferOutput<typeof receivedMessages.calls.configure>) {
    refuseOwnAddress(ports.ownOrigins, config.known, 'config')
    ports.configure(config.known, colorScheme)
    const warnings = [...config.unknownKeys.map(unknownKeyWarning), ...ports.idleSettings()]
    return { warnings: sayOnce(warnings) }
  }

  const handlers: CoreHandlers = {
    hello({ protocol, parameters, ...settings }) {
      refuseOtherProtocols(protocol)
      const { warnings } = configure(settings)
      arrived = ports.receiveParameters(parameters)
      announceReady()
      return {
        protocol: channelLimits.protocolVersion,
        dialog: dialogVersion,
        authenticated: seemsAuthenticated(session),
        capabilities: Object.keys(hostContract.child),
        warnings,
      }
    },
    configure,
    viewport(viewport) {
      ports.setViewport(viewport)
      return {}
    },
    async logout() {
      await session.logout()
      return {}
    },
    async user(_, caller) {
      await arrived
      return { user: told(await session.user(caller)) ?? null }
    },
    async accessToken(_, caller) {
      await arrived
      const granted = await session.hostToken(caller)
      if (!granted || !(await isKnown(caller))) return { token: null, expiresInSeconds: 0 }
      return granted
    },
  }

  const serveByName =
    (row: Pick<Asked, 'policy' | 'pace'>) =>
    async (asked: Omit<Asked, 'policy' | 'pace'>, context: HostCallContext): Promise<unknown> => {
      refuseOwnAddress(ports.ownOrigins, Object(asked.data).ui, 'ui')
      return (await flows()).callByName({ ...asked, ...row }, context)
    }
  const flows = async () => (await Promise.all([ports.dialog(), arrived]))[0]

  const channel: Channel<LoaderCalls> = openChannel<typeof receivedMessages, LoaderMessages>({
    contract: hostContract,
    side: 'child',
    receives: receivedMessages,
    target: ports.target,
    handlers: {
      ...handlers,
      login: async (_data, context) => (await flows()).logIn(context),
      more: serveByName({ policy: 'headless' }),
      read: serveByName({ policy: 'headless', pace: 'reads' }),
      moreForUser: serveByName({ policy: 'needs-user' }),
    },
  })

  /** Nobody waits for the host to hear it. */
  function tell(event: HostEvent) {
    channel.call('event', event).catch(() => {})
  }

  /**
   * Once for each document of the host: after its first message, when it is known who is logged in. A server that can
   * not be reached has logged nobody out: it is told when that is known.
   */
  function announceReady() {
    session.start().then(tellReady, (error: unknown) => {
      if (keepsNothing(error)) tell({ type: 'ready', authenticated: false })
      else isReadyDue = true
    })
  }
  let isReadyDue = false
  function tellReady(state: SessionState) {
    isReadyDue = false
    tell({ type: 'ready', authenticated: userOf(state) !== undefined })
  }

  session.subscribe((state, before) => {
    tellChange(state, before)
    if (isReadyDue) tellReady(state)
  })

  function tellChange(state: SessionState, before: SessionState) {
    const [user, userBefore] = [userOf(state), userOf(before)]
    if (user && user.id === userBefore?.id) return tell({ type: 'user', user })
    if (userBefore) {
      tell({ type: 'logout' })
      tell({ type: 'user', user: null })
      tell({ type: 'tokenRemoved' })
    }
    if (user) {
      // A session that was there before is no login.
      tell(before.status === 'unknown' ? { type: 'user', user } : { type: 'login', user })
      tell({ type: 'tokenGranted' })
    }
  }

  let isOpening = false

  return {
    async show() {
      isOpening = true
      const { viewport } = await channel.call('show', {})
      ports.setViewport(viewport)
    },
    drawn() {
      if (isOpening) tell({ type: 'open' })
      isOpening = false
    },
    hide() {
      isOpening = false
      channel.call('hide', {}).catch(() => {})
    },
    tellPage: ({ name, data }) => tell({ type: 'more', name, data }),
    page: {
      async findWallets() {
        const asked = { wallet: hostPageId, method: findPageWalletsMethod, params: [] }
        const answer = await channel.call('walletRequest', asked)
        return parse(hostWalletsSchema, Object(answer).result, 'invalid_answer')
      },
      request: (asked, options) => channel.call('walletRequest', asked, options),
    },
    destroy: channel.destroy,
  }
}

/** Nobody is logged in where the browser keeps no session. */
const keepsNothing = (error: unknown) => Object(error).code === 'session_storage_unavailable'

/** A link of a host that leads to us would be a link of ours: nothing that it names is on an origin of our own. */
function refuseOwnAddress(origins: readonly string[], named: unknown, where: string): void {
  const path = findOwnAddress(named, origins)
  if (path === undefined) return
  const message = `${product.name} takes no address of its own here: ${where}.${path}`
  throw new LatchkeyError('invalid_data', message, { details: { path: `${where}.${path}` } })
}

function refuseOtherProtocols(protocol: number) {
  const { protocolVersion, oldestProtocolVersion } = channelLimits
  if (protocol >= oldestProtocolVersion && protocol <= protocolVersion) return
  throw new LatchkeyError('unsupported_protocol', `Protocol version ${protocol} is not supported`, {
    details: { supported: [oldestProtocolVersion, protocolVersion] },
  })
}

/** Each sentence once, since a host may configure at every render; and no more of them than anybody reads. */
function createOnce() {
  const said = new Set<string>()
  return (sentences: readonly string[]): string[] =>
    sentences.filter((sentence) => {
      if (said.has(sentence) || said.size >= channelLimits.maxWarnings) return false
      said.add(sentence)
      return true
    })
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
export const noHost: FrameHost & TellPage = {
  show: async () => {},
  drawn: () => {},
  hide: () => {},
  tellPage: () => {},
}
