import { type ClientConfig, LatchkeyError, toLatchkeyError, type User } from '@latchkey/protocol'
import type { CallOutput } from '@latchkey/protocol/channel'
import { type DialogCalls, type HostEvent, hostContract } from '@latchkey/protocol/host'
import {
  type CallData,
  type Connection,
  type DialogCall,
  frameRemoved,
  type OpenConnection,
} from '../frame/connection.ts'
import { loaderLimits } from '../frame/limits.ts'
import { withTimeout } from '../frame/waiting.ts'
import { whenActivated } from '../frame/when-activated.ts'
import { getOrCreateProvider } from '../provider/page-provider.ts'
import type { EthereumProvider, HostLogin, LatchkeyEvents, Preload } from '../types/options.ts'
import { type AnyRow, calls, type Dialog } from './calls.ts'
import { merge } from './merge.ts'
import { refusedEvent } from './page.ts'
import type { LoadSecondFile } from './second-file.ts'
import { createTokenCache } from './token-cache.ts'
import { whenIdle } from './when-idle.ts'

/** The part that all handles of an app on a page share: frame, configuration and token. */
export type Client = {
  appId: string
  dialogUrl: string
  /** Runs a row of the call table. The signal cancels it. */
  call(name: string, args: readonly unknown[], signal: AbortSignal): Promise<unknown>
  /** Follows the page's own login from now on. Missing in clients of older copies of the loader. */
  follow?(login: HostLogin): void
  preload(when: Preload): void
  /** Emits `CustomEvent`s named as in LatchkeyEvents, with the event data as their detail. */
  events: EventTarget
  /** Waits for the dialog by itself. Missing in clients of older copies of the loader. */
  provider?: EthereumProvider
  close(error: LatchkeyError): void
}

type Run = (signal: AbortSignal, args: readonly unknown[]) => Promise<unknown>

export type ClientOptions = {
  appId: string
  dialogUrl: string
  /** The query parameters of the page, which may complete a login with the first frame. */
  parameters?: string
  /** Called when a dialog has received the parameters. */
  onGreeted?: () => void
  open: OpenConnection
  loadSecondFile: LoadSecondFile
}

export function createClient({
  appId,
  dialogUrl,
  parameters = '',
  onGreeted = () => {},
  open,
  loadSecondFile,
}: ClientOptions): Client {
  const events = new EventTarget()
  let config: ClientConfig = {}
  let hostLogin: HostLogin | undefined
  let connection: Connection | undefined
  let closed: LatchkeyError | undefined
  let wasReady = false
  /** The user of the last event. Survives a lost frame, so that only differences are emitted. */
  let lastUser: User | null | undefined

  const tokens = createTokenCache(() => send('accessToken', () => ({})), Date.now)
  const runs = new Map(Object.entries(calls).map(([name, row]) => [name, createRun(name, row)]))

  function createRun(name: string, { run, shared, refusal, signs }: AnyRow): Run {
    if (!run)
      return async (signal, args) => {
        const data = async () => (await secondFile()).createCall(name, args)
        const answer = await send(refusal ? 'moreForUser' : 'more', data, signal, signs)
        return (await secondFile()).readAnswer(name, answer, page)
      }
    // The dialog validates the arguments.
    const runRow: Run = (signal, args) => run(dialogFor(signal), ...(args as never[]))
    return shared ? merge((signal) => runRow(signal, [])) : runRow
  }

  const dialogFor = (signal: AbortSignal): Dialog => ({
    send: (name, data) => send(name, () => data, signal),
    getToken: tokens.get,
    dropToken: tokens.drop,
    configure,
  })

  async function send<Name extends DialogCall>(
    name: Name,
    data: CallData<Name>,
    signal?: AbortSignal,
    signs?: boolean,
  ): Promise<CallOutput<DialogCalls[Name]>> {
    // With a silent signature, the page stays uncovered until the dialog needs its card.
    const isSilent = signs && config.embeddedWallets?.noPromptOnSignature === true
    const shows = hostContract.child[name].policy === 'needs-user' && !isSilent
    return whenActivated(async () => connect(shows).call(name, data, { signal, shows }))
  }

  const ethereum = getOrCreateProvider(appId, {
    loadMethods: async () => (await secondFile()).serveProvider(page),
    whyDestroyed: () => closed,
  })
  const page = { send, events, appId, ...ethereum }

  const secondFile = () =>
    withTimeout(loaderLimits.loadDeadlineMs, loadSecondFile()).catch((cause) => {
      throw toLatchkeyError(cause, 'server_unreachable', 'The second file did not load')
    })

  async function configure(next: ClientConfig) {
    const previous = config
    config = next
    if (!connection) return
    try {
      await connection.configure()
    } catch (error) {
      if (config === next) config = previous
      throw error
    }
  }

  function emit<Name extends keyof LatchkeyEvents>(name: Name, detail: object) {
    events.dispatchEvent(new CustomEvent(name, { detail }))
  }

  function connect(forUser: boolean): Connection {
    if (closed) throw closed
    if (connection && !connection.isAlive()) connection.lose(frameRemoved())
    connection ??= open({
      appId,
      dialogUrl,
      forUser,
      loadSecondFile,
      config: () => config,
      hostLogin: () => hostLogin,
      parameters,
      onGreeted,
      onRefused: () => events.dispatchEvent(new Event(refusedEvent)),
      onShown: (shown) => emit(shown ? 'open' : 'close', {}),
      onLost(error) {
        connection = undefined
        tokens.drop()
        if (!closed) emit('error', { error })
      },
      onEvent,
    })
    return connection
  }

  function onEvent(event: HostEvent) {
    // Any event may mean that another user is logged in.
    tokens.drop()
    switch (event.type) {
      case 'tokenGranted':
        return emitToken()
      case 'tokenRemoved':
        return emit('token', { type: 'removed' })
      case 'open':
        // `open` is emitted when the frame is shown: see onShown.
        return emit('drawn', {})
      case 'more':
        secondFile().then(
          ({ receiveEvent }) => receiveEvent(event, page, { configure, config: () => config }),
          () => {},
        )
        return
      case 'user':
        // The dialog sends it with each refresh.
        if (JSON.stringify(event.user) === JSON.stringify(lastUser)) return
        if (event.user && lastUser && event.user.id !== lastUser.id) {
          emitLogout()
          return onEvent({ type: 'login', user: event.user })
        }
        break
      case 'ready':
        if (lastUser && !event.authenticated) emitLogout()
        // Each document of the dialog sends it once its session is known.
        if (wasReady) return
        wasReady = true
    }
    if ('user' in event) lastUser = event.user
    const { type, ...detail } = event
    emit(type, detail)
  }

  /** Emits a logout that happened in another tab while the frame was lost. */
  function emitLogout() {
    lastUser = null
    emit('logout', {})
    emit('user', { user: null })
    emit('token', { type: 'removed' })
  }

  /** Requests the token, because the event does not carry it. */
  function emitToken() {
    tokens.get().then(
      (token) => token && emit('token', { type: 'granted', token }),
      () => {},
    )
  }

  function load() {
    whenActivated(async () => connect(false)).catch(() => {})
  }

  // The parameters expire after a minute.
  if (parameters) load()

  return {
    appId,
    dialogUrl,
    async call(name, args, signal) {
      const run = runs.get(name)
      if (!run) throw new LatchkeyError('method_not_found', `There is no call ${name}`)
      return run(signal, args)
    },
    follow(login) {
      hostLogin = login
      connection?.configure().catch(() => {})
    },
    preload(when) {
      if (config.embeddedWallets?.announceProvider !== false) ethereum.restore()
      if (when === 'now') load()
      if (when === 'idle') whenIdle(load)
    },
    events,
    provider: ethereum.provider,
    close(error) {
      closed = error
      connection?.lose(error)
      // Handles are gone, but the providers of the second file still listen.
      emit('error', { error })
    },
  }
}

export const clientDestroyed = () => new LatchkeyError('client_destroyed', 'This client was destroyed')
