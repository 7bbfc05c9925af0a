import { channelLimits, LatchkeyError } from '@latchkey/protocol'
import { type CallInput, type CallOptions, type CallOutput, openChannel } from '@latchkey/protocol/channel'
import { type DialogCalls, type HostEvent, heardByLoader, hostContract } from '@latchkey/protocol/host'
import { watchPolicy } from './blocked-by-policy.ts'
import type { DialogCall } from './calls.ts'
import { type Effect, type Happening, type State, step } from './connection-state.ts'
import { diagnose } from './diagnosis.ts'
import { frameAddress } from './dialog-address.ts'
import { createFrame } from './frame.ts'
import { readHostEvent } from './host-event.ts'
import { loaderLimits } from './limits.ts'
import type { LoadMore } from './load-more.ts'
import type { ClientConfig } from './published.ts'
import { loaderVersion } from './version.ts'
import { watchViewport } from './viewport.ts'
import { warnOnce } from './warn-once.ts'

/** One frame and the channel to it, from its first address to its loss. It is never repaired: the next replaces it. */
export type Connection = {
  readonly ready: Promise<void>
  call<Name extends DialogCall>(
    name: Name,
    data: CallInput<DialogCalls[Name]>,
    options?: CallOptions,
  ): Promise<CallOutput<DialogCalls[Name]>>
  /** Tells the dialog the configuration as it is now. */
  configure(): Promise<void>
  isAlive(): boolean
  /** Settles everything that is open with this error, and takes the frame away. */
  lose(error: LatchkeyError): void
}

export type ConnectionOptions = {
  readonly appId: string
  readonly dialogUrl: string
  /** Whether somebody waits to see the dialog. */
  readonly forUser: boolean
  readonly config: () => ClientConfig
  readonly loadMore: LoadMore
  readonly onEvent: (event: HostEvent) => void
  readonly onShown: (shown: boolean) => void
  readonly onLost: (error: LatchkeyError) => void
}
export type OpenConnection = (options: ConnectionOptions) => Connection

export const openConnection: OpenConnection = ({ appId, dialogUrl, forUser, config, loadMore, ...on }) => {
  const { origin } = new URL(dialogUrl)
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let state: State = { name: 'loading' }
  const changed: (() => void)[] = []
  let calls = 0
  let asking = false
  let greeting: Promise<void> | undefined
  let toldColorScheme: string | undefined
  let frameCheck: ReturnType<typeof setInterval> | undefined

  const frame = createFrame(frameAddress(dialogUrl, appId, forUser), () => happen({ name: 'load' }))
  const channel = openChannel({
    contract: hostContract,
    side: 'parent',
    hears: heardByLoader,
    target: { window: frame.window, origin },
    handlers: {
      show() {
        tellColorScheme()
        setShown(true)
        return { viewport: frame.viewport() }
      },
      hide() {
        setShown(false)
        return {}
      },
      event(event) {
        const known = readHostEvent(event)
        if (known) on.onEvent(known)
        return {}
      },
    },
    onConnect: () => happen({ name: 'shaken' }),
    onClose: () => happen({ name: 'closed' }),
  })
  const unwatchPolicy = watchPolicy(origin, /^(frame|child|default)-src$/, () =>
    lose(new LatchkeyError('host_blocks_frame', `The frame-src policy of this page has to allow ${origin}`)),
  )
  const unwatchViewport = watchViewport(() => {
    // The next change brings what this one could not.
    if (frame.isShown()) channel.call('viewport', frame.viewport()).catch(() => {})
  })
  after(loaderLimits.slowLoadMs, { name: 'late' })

  const effects: Readonly<Record<Effect, () => void>> = {
    greet() {
      const colorScheme = frame.colorScheme()
      toldColorScheme = undefined
      greeting = channel
        .call('hello', {
          protocol: channelLimits.protocolVersion,
          loader: loaderVersion,
          capabilities: Object.keys(heardByLoader.calls),
          config: config(),
          colorScheme,
        })
        .then(({ warnings }) => {
          toldColorScheme = colorScheme
          warnings.forEach(warnOnce)
        })
      greeting.then(
        () => happen({ name: 'greeted' }),
        (error: LatchkeyError) => happen({ name: 'refused', error }),
      )
    },
    'await handshake'() {
      stopWaiting()
      after(loaderLimits.silentAfterLoadMs, { name: 'late' })
      after(channelLimits.handshakeDeadlineMs, { name: 'overdue' })
    },
    'stop waiting': stopWaiting,
    'ask for a sign of life'() {
      channel.call('viewport', frame.viewport(), { deadlineMs: loaderLimits.signOfLifeMs }).then(
        () => happen({ name: 'alive' }),
        // Any other failure is an answer, or comes with news of its own.
        ({ code }: LatchkeyError) => happen({ name: code === 'call_timeout' ? 'dead' : 'alive' }),
      )
    },
    'ask why'() {
      if (asking) return
      asking = true
      diagnose(dialogUrl, appId, loadMore).then(({ certain, error }) => {
        asking = false
        happen({ name: 'diagnosed', certain, error })
      })
    },
    hide: () => setShown(false),
    end() {
      stopWaiting()
      clearInterval(frameCheck)
      unwatchPolicy()
      unwatchViewport()
      setShown(false)
      channel.destroy()
      frame.remove()
      if (state.name === 'lost') on.onLost(state.error)
    },
  }

  function happen(happening: Happening) {
    const [next, ...toDo] = step(state, happening)
    state = next
    for (const effect of toDo) effects[effect]()
    for (const tell of changed.splice(0)) tell()
  }

  const lose = (error: LatchkeyError) => happen({ name: 'lose', error })

  function after(delayMs: number, happening: Happening) {
    timers.add(setTimeout(() => happen(happening), delayMs))
  }

  function stopWaiting() {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }

  function setShown(shown: boolean) {
    if (shown === frame.isShown()) return
    if (shown) frame.show()
    else frame.hide()
    on.onShown(shown)
    checkFrame()
  }

  function tellColorScheme() {
    if (toldColorScheme === undefined || toldColorScheme === frame.colorScheme()) return
    configure().catch(() => {})
  }

  async function configure() {
    const colorScheme = frame.colorScheme()
    toldColorScheme = colorScheme
    const { warnings } = await channel.call('configure', { config: config(), colorScheme })
    warnings.forEach(warnOnce)
  }

  /** Nobody tells when a page removes or moves a frame, so it is looked at while somebody waits for it. */
  function checkFrame() {
    clearInterval(frameCheck)
    if (calls === 0 && !frame.isShown()) return
    frameCheck = setInterval(() => frame.isAlive() || lose(frameRemoved()), loaderLimits.frameCheckMs)
  }

  /** The channel says what happened to a call; what happened to the whole connection says more. */
  async function explain(error: LatchkeyError): Promise<LatchkeyError> {
    if (error.code === 'frame_unresponsive') happen({ name: 'unanswered' })
    while (state.name === 'doubtful' || state.name === 'explaining') {
      await new Promise<void>((resolve) => changed.push(resolve))
    }
    return state.name === 'lost' ? state.error : error
  }

  async function guard<T>(run: () => Promise<T>): Promise<T> {
    calls += 1
    checkFrame()
    try {
      return await run()
    } catch (error) {
      throw error instanceof LatchkeyError ? await explain(error) : error
    } finally {
      calls -= 1
      checkFrame()
    }
  }

  /** `hello` comes first, after a reload too: the handshake has begun it before anybody else goes on. */
  async function greeted(): Promise<void> {
    await channel.ready
    await greeting
  }

  const ready = guard(greeted)
  ready.catch(() => {})
  return {
    ready,
    call: (name, data, callOptions) =>
      guard(async () => {
        await greeted()
        return channel.call(name, data, callOptions)
      }),
    configure: () => guard(() => greeted().then(configure)),
    isAlive: frame.isAlive,
    lose,
  }
}

export const frameRemoved = () =>
  new LatchkeyError('frame_unresponsive', 'The frame of the dialog was removed from the page')
