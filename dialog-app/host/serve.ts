/** The dialog's side of boundary 1: serves the host page's calls, emits events, and shows or hides the frame. */
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
import type { HostCallContext, HostLogin, LogIn, NamedCall } from './host-calls.ts'
import { hostUser } from './host-user.ts'
import { receivedMessages, unknownKeyWarning } from './received-config.ts'

/** The color scheme that the host page reports. */
type HostColorScheme = v.InferOutput<typeof receivedMessages.calls.configure>['colorScheme']

/** The flows behind host page calls. */
export type HostFlows = {
  logIn: LogIn
  /** Runs a less common call by its name. */
  callByName: (call: NamedCall, context: HostCallContext) => Promise<unknown>
  /** Continues the flow that the host page's URL parameters belong to. */
  resume: (parameters: URLSearchParams) => Promise<void>
  hostLogin: () => Promise<HostLogin>
}

export type HostPorts = {
  target: ChannelTarget
  session: Session
  /** Applies the URL parameters of the host page. Resolves after the session of a one-use code has started. */
  receiveParameters: (parameters: string | undefined) => Promise<unknown>
  /** Loads the flows, which a host page that only reads tokens never needs. */
  dialog: () => Promise<HostFlows>
  configure: (config: ClientConfig, colorScheme: HostColorScheme) => void
  setViewport: (viewport: HostViewport) => void
  ownOrigins: readonly string[]
  /** Returns whether the host page may see the user. A user is hidden until they accept the terms. */
  isVisible: (user?: UserRecord) => boolean
  /** Returns warnings about known settings that have no effect now. */
  idleSettings: () => readonly string[]
}

export type HostLink = FrameHost & TellPage & { page: HostPage; destroy: () => void }

type CoreHandlers = Omit<
  Handlers<ServedBy<typeof receivedMessages, LoaderMessages>>,
  'login' | 'more' | 'read' | 'moreForUser'
>

export function serveHost(ports: HostPorts): HostLink {
  const { session, isVisible: isTold } = ports
  const warnOnce = createWarnOnce()
  /** Calls wait for the session of a one-use code in the hello message, and of the page's own login. */
  let sessionApplied: Promise<unknown> = Promise.resolve()
  let followsHostLogin = false

  const toVisibleUser = (user: UserRecord | null) => (user && isTold(user) ? hostUser(user) : undefined)
  /** Waits for the user only if the answer depends on it. Most apps have no terms to check. */
  const isAuthenticated = async (options: Cancellable) =>
    isTold() || toVisibleUser(await session.user(options)) !== undefined
  const getVisibleUser = (state: SessionState) =>
    toVisibleUser(state.status === 'authenticated' ? state.user : null)

  /** Applies the configuration and returns warnings about settings without effect. */
  function configure({
    config,
    colorScheme,
    hasHostLogin,
  }: v.InferOutput<typeof receivedMessages.calls.configure>) {
    rejectOwnOrigins(ports.ownOrigins, config.known, 'config')
    ports.configure(config.known, colorScheme)
    if (hasHostLogin) {
      followsHostLogin = true
      applySession(hostLogin().then(({ follow }) => follow()))
    }
    const warnings = [...config.unknownKeys.map(unknownKeyWarning), ...ports.idleSettings()]
    return { warnings: warnOnce(warnings) }
  }

  function applySession(applied: Promise<unknown>) {
    sessionApplied = Promise.all([sessionApplied, applied.catch(() => {})])
  }

  const handlers: CoreHandlers = {
    hello({ protocol, parameters, ...settings }) {
      rejectUnsupportedProtocol(protocol)
      const { warnings } = configure(settings)
      applySession(ports.receiveParameters(parameters))
      announceReady()
      return {
        protocol: channelLimits.protocolVersion,
        dialog: dialogVersion,
        authenticated: hasStoredSession(session),
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
      await sessionApplied
      return { user: toVisibleUser(await session.user(caller)) ?? null }
    },
    async accessToken(_, caller) {
      await sessionApplied
      const hostToken = await session.hostToken(caller)
      if (!hostToken || !(await isAuthenticated(caller))) return { token: null, expiresInSeconds: 0 }
      return hostToken
    },
  }

  const serveByName =
    (row: Pick<NamedCall, 'policy' | 'pace'>) =>
    async (call: Omit<NamedCall, 'policy' | 'pace'>, context: HostCallContext): Promise<unknown> => {
      rejectOwnOrigins(ports.ownOrigins, Object(call.data).ui, 'ui')
      return (await flows()).callByName({ ...call, ...row }, context)
    }
  const flows = async () => (await Promise.all([ports.dialog(), sessionApplied]))[0]

  const hostLogin = async () => (await ports.dialog()).hostLogin()

  const channel: Channel<LoaderCalls> = openChannel<typeof receivedMessages, LoaderMessages>({
    contract: hostContract,
    side: 'child',
    receives: receivedMessages,
    target: ports.target,
    handlers: {
      ...handlers,
      login: async (_data, context) => (followsHostLogin ? await hostLogin() : await flows()).logIn(context),
      more: serveByName({ policy: 'headless' }),
      read: serveByName({ policy: 'headless', pace: 'reads' }),
      moreForUser: serveByName({ policy: 'needs-user' }),
    },
  })

  /** Does not wait for the host page's acknowledgement. */
  function emit(event: HostEvent) {
    channel.call('event', event).catch(() => {})
  }

  /**
   * Emits ready once per host document, after hello and once the user is known. An unreachable server delays it,
   * because that is no logout.
   */
  function announceReady() {
    sessionApplied
      .then(() => session.start())
      .then(emitReady, (error: unknown) => {
        if (isStorageUnavailable(error)) emit({ type: 'ready', authenticated: false })
        else isReadyDue = true
      })
  }
  let isReadyDue = false
  function emitReady() {
    isReadyDue = false
    emit({ type: 'ready', authenticated: getVisibleUser(session.state()) !== undefined })
  }

  session.subscribe((state, before) => {
    emitChange(state, before)
    if (isReadyDue) emitReady()
  })

  function emitChange(state: SessionState, before: SessionState) {
    const [user, userBefore] = [getVisibleUser(state), getVisibleUser(before)]
    if (user && user.id === userBefore?.id) return emit({ type: 'user', user })
    if (userBefore) {
      emit({ type: 'logout' })
      emit({ type: 'user', user: null })
      emit({ type: 'tokenRemoved' })
    }
    if (user) {
      // A session from storage is not a login.
      emit(before.status === 'unknown' ? { type: 'user', user } : { type: 'login', user })
      emit({ type: 'tokenGranted' })
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
      if (isOpening) emit({ type: 'open' })
      isOpening = false
    },
    hide() {
      isOpening = false
      channel.call('hide', {}).catch(() => {})
    },
    tellPage: ({ name, data }) => emit({ type: 'more', name, data }),
    page: {
      async findWallets() {
        const request = { wallet: hostPageId, method: findPageWalletsMethod, params: [] }
        const answer = await channel.call('walletRequest', request)
        return parse(hostWalletsSchema, Object(answer).result, 'invalid_answer')
      },
      request: (walletRequest, options) => channel.call('walletRequest', walletRequest, options),
    },
    destroy: channel.destroy,
  }
}

/** Without session storage there is no logged-in user. */
const isStorageUnavailable = (error: unknown) => Object(error).code === 'session_storage_unavailable'

/** Rejects a value that contains a URL on one of our origins, because the dialog would render it as our own link. */
function rejectOwnOrigins(origins: readonly string[], value: unknown, where: string): void {
  const path = findOwnAddress(value, origins)
  if (path === undefined) return
  const message = `${product.name} takes no address of its own here: ${where}.${path}`
  throw new LatchkeyError('invalid_data', message, { details: { path: `${where}.${path}` } })
}

function rejectUnsupportedProtocol(protocol: number) {
  const { protocolVersion, oldestProtocolVersion } = channelLimits
  if (protocol >= oldestProtocolVersion && protocol <= protocolVersion) return
  throw new LatchkeyError('unsupported_protocol', `Protocol version ${protocol} is not supported`, {
    details: { supported: [oldestProtocolVersion, protocolVersion] },
  })
}

/**
 * Returns each warning once, because host pages may configure on every render, and at most `maxWarnings` in total.
 */
function createWarnOnce() {
  const emitted = new Set<string>()
  return (sentences: readonly string[]): string[] =>
    sentences.filter((sentence) => {
      if (emitted.has(sentence) || emitted.size >= channelLimits.maxWarnings) return false
      emitted.add(sentence)
      return true
    })
}

/** Returns whether the browser stores a session, without asking the server. */
function hasStoredSession(session: Session): boolean {
  try {
    return session.hasCredentials()
  } catch {
    return false
  }
}

/** The host of a standalone page, which has no frame to show or hide. */
export const noHost: FrameHost & TellPage = {
  show: async () => {},
  drawn: () => {},
  hide: () => {},
  tellPage: () => {},
}
