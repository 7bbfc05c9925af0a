import { type ClientConfig, LatchkeyError, toLatchkeyError, type User } from '@latchkey/protocol'
import type { CallOutput } from '@latchkey/protocol/channel'
import { type DialogCalls, type HostEvent, hostContract } from '@latchkey/protocol/host'
import {
  type Connection,
  type DataOf,
  type DialogCall,
  frameRemoved,
  type OpenConnection,
} from '../frame/connection.ts'
import { loaderLimits } from '../frame/limits.ts'
import { within } from '../frame/waiting.ts'
import { whenActivated } from '../frame/when-activated.ts'
import { pageProvider } from '../provider/page-provider.ts'
import type { EthereumProvider, LatchkeyEvents, Preload } from '../types/options.ts'
import { type AnyRow, calls, type Dialog } from './calls.ts'
import { merge } from './merge.ts'
import { refusedEvent } from './page.ts'
import type { LoadSecondFile } from './second-file.ts'
import { createTokenCache } from './token-cache.ts'
import { whenIdle } from './when-idle.ts'

/** What all handles of an app on a page share: the frame, the configuration, the token. */
export type Client = {
  appId: string
  dialogUrl: string
  /** Runs a row of the table of calls. The signal takes it back. */
  call(name: string, args: readonly unknown[], signal: AbortSignal): Promise<unknown>
  preload(when: Preload): void
  /** `CustomEvent`s named as in LatchkeyEvents, with what happened as their detail. */
  events: EventTarget
  /** What it is asked waits for the dialog by itself. A client of an older copy of the loader has none to show. */
  provider?: EthereumProvider
  close(error: LatchkeyError): void
}

type Run = (signal: AbortSignal, args: readonly unknown[]) => Promise<unknown>

export type ClientOptions = {
  appId: string
  dialogUrl: string
  /** The parameters of the page's address: whoever they name is logged in with the first frame. */
  parameters?: string
  /** A dialog has taken them over. */
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
  let connection: Connection | undefined
  let closed: LatchkeyError | undefined
  let wasReady = false
  /** The user that listeners were told last: events are differences, also to what was known before a frame was lost. */
  let lastUser: User | null | undefined

  const tokens = createTokenCache(() => ask('accessToken', () => ({})), Date.now)
  const runs = new Map(Object.entries(calls).map(([name, row]) => [name, runOf(name, row)]))

  function runOf(name: string, { run, shared, refusal, signs }: AnyRow): Run {
    if (!run)
      return async (signal, args) => {
        const data = async () => (await secondFile()).callOf(name, args)
        const answer = await ask(refusal ? 'moreForUser' : 'more', data, signal, signs)
        return (await secondFile()).readAnswer(name, answer, page)
      }
    // What a page gives is as it is: the dialog parses it.
    const runRow: Run = (signal, args) => run(dialogFor(signal), ...(args as never[]))
    return shared ? merge((signal) => runRow(signal, [])) : runRow
  }

  const dialogFor = (signal: AbortSignal): Dialog => ({
    ask: (name, data) => ask(name, () => data, signal),
    getToken: tokens.get,
    dropToken: tokens.drop,
    configure,
  })

  async function ask<Name extends DialogCall>(
    name: Name,
    data: DataOf<Name>,
    signal?: AbortSignal,
    signs?: boolean,
  ): Promise<CallOutput<DialogCalls[Name]>> {
    // Nothing covers the page before the dialog finds that a signature needs its card.
    const isSilent = signs && config.embeddedWallets?.noPromptOnSignature === true
    const shows = hostContract.child[name].policy === 'needs-user' && !isSilent
    return whenActivated(async () => connect(shows).call(name, data, { signal, shows }))
  }

  const ethereum = pageProvider(appId, {
    loadMethods: async () => (await secondFile()).serveProvider(page),
    whyDestroyed: () => closed,
  })
  const page = { ask, events, appId, ...ethereum }

  const secondFile = () =>
    within(loaderLimits.loadDeadlineMs, loadSecondFile()).catch((cause) => {
      throw toLatchkeyError(cause, 'server_unreachable', 'The second file did not come')
    })

  async function configure(next: ClientConfig) {
    const before = config
    config = next
    if (!connection) return
    try {
      await connection.configure()
    } catch (error) {
      if (config === next) config = before
      throw error
    }
  }

  function tell<Name extends keyof LatchkeyEvents>(name: Name, detail: object) {
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
      parameters,
      onGreeted,
      onRefused: () => events.dispatchEvent(new Event(refusedEvent)),
      onShown: (shown) => tell(shown ? 'open' : 'close', {}),
      onLost(error) {
        connection = undefined
        tokens.drop()
        if (!closed) tell('error', { error })
      },
      onEvent,
    })
    return connection
  }

  function onEvent(event: HostEvent) {
    // Whatever happened may be that somebody else is logged in.
    tokens.drop()
    switch (event.type) {
      case 'tokenGranted':
        return tellToken()
      case 'tokenRemoved':
        return tell('token', { type: 'removed' })
      case 'open':
        // The frame itself is what opens: see onShown.
        return tell('drawn', {})
      case 'more':
        secondFile().then(
          ({ receiveEvent }) => receiveEvent(event, page, { configure, config: () => config }),
          () => {},
        )
        return
      case 'user':
        // Each refresh tells it.
        if (JSON.stringify(event.user) === JSON.stringify(lastUser)) return
        if (event.user && lastUser && event.user.id !== lastUser.id) {
          tellLogout()
          return onEvent({ type: 'login', user: event.user })
        }
        break
      case 'ready':
        if (lastUser && !event.authenticated) tellLogout()
        // The dialog says it for each of its documents, once it knows who is logged in.
        if (wasReady) return
        wasReady = true
    }
    if ('user' in event) lastUser = event.user
    const { type, ...detail } = event
    tell(type, detail)
  }

  /** Another tab did it while the frame was lost. */
  function tellLogout() {
    lastUser = null
    tell('logout', {})
    tell('user', { user: null })
    tell('token', { type: 'removed' })
  }

  /** The event carries no token, so it is asked for. */
  function tellToken() {
    tokens.get().then(
      (token) => token && tell('token', { type: 'granted', token }),
      () => {},
    )
  }

  function load() {
    whenActivated(async () => connect(false)).catch(() => {})
  }

  // It is good for a minute.
  if (parameters) load()

  return {
    appId,
    dialogUrl,
    async call(name, args, signal) {
      const run = runs.get(name)
      if (!run) throw new LatchkeyError('method_not_found', `There is no call ${name}`)
      return run(signal, args)
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
      // No handle listens any more; what the second file made does.
      tell('error', { error })
    },
  }
}

export const clientDestroyed = () => new LatchkeyError('client_destroyed', 'This client was destroyed')
