import { channelLimits, LatchkeyError } from '@latchkey/protocol'
import {
  type CallInput,
  type CallOptions,
  type CallOutput,
  openChannel,
  parse,
} from '@latchkey/protocol/channel'
import {
  type DialogCalls,
  type DialogMessages,
  type HostEvent,
  hostContract,
  hostEvents,
  type LoaderMessages,
  loaderMessages,
} from '@latchkey/protocol/host'
import type { ClientConfig } from '../types/published.ts'
import { watchPolicy } from './blocked-by-policy.ts'
import { createTimers, followState } from './connection-effects.ts'
import { diagnose } from './diagnosis.ts'
import { frameAddress } from './dialog-address.ts'
import { cardColour, createEmptyCard, heightOf } from './empty-card.ts'
import { createFrame } from './frame.ts'
import { createHello } from './hello.ts'
import { loaderLimits } from './limits.ts'
import type { SecondFileForFrame } from './second-file.ts'
import { watchViewport } from './viewport.ts'
import { untilAborted } from './waiting.ts'

/** The others are the connection's own. */
export type DialogCall = Exclude<keyof DialogCalls, 'hello' | 'configure' | 'viewport'>

/** May wait for the second file, while the frame loads beside it. */
export type DataOf<Name extends DialogCall> = () =>
  | CallInput<DialogCalls[Name]>
  | Promise<CallInput<DialogCalls[Name]>>

/** One frame and the channel to it, from its first address to its loss. It is never repaired: the next replaces it. */
export type Connection = {
  call<Name extends DialogCall>(
    name: Name,
    data: DataOf<Name>,
    /** `shows`: a card is waited for, so that an empty one stands in for a dialog that is slow. */
    options: CallOptions & { shows: boolean },
  ): Promise<CallOutput<DialogCalls[Name]>>
  /** Tells the dialog the configuration as it is now. */
  configure(): Promise<void>
  isAlive(): boolean
  /** Settles everything that is open with this error, and takes the frame away. */
  lose(error: LatchkeyError): void
}

export type ConnectionOptions = {
  appId: string
  dialogUrl: string
  /** Whether somebody waits to see the dialog. */
  forUser: boolean
  config: () => ClientConfig
  /** Each dialog is told of them: what they hold counts once. */
  parameters: string
  /** It has answered, and what it was told is its own to use now. */
  onGreeted: () => void
  loadSecondFile: () => Promise<SecondFileForFrame>
  onEvent: (event: HostEvent) => void
  onShown: (shown: boolean) => void
  /** A person closed the empty card: whatever waits for them is refused. */
  onRefused: () => void
  onLost: (error: LatchkeyError) => void
}
export type OpenConnection = (options: ConnectionOptions) => Connection

/** Does what `connection-state.ts` says is to be done, and tells it what happened. */
export const openConnection: OpenConnection = ({ appId, dialogUrl, forUser, loadSecondFile, ...on }) => {
  const { origin } = new URL(dialogUrl)
  let calls = 0
  let asking = false

  const { happen, verdict } = followState({
    greet() {
      hello.send().then(
        () => {
          on.onGreeted()
          happen({ name: 'greeted' })
        },
        (error: LatchkeyError) => happen({ name: 'refused', error }),
      )
    },
    'await handshake'() {
      timers.clear()
      timers.add(loaderLimits.silentAfterLoadMs, { name: 'late' })
      timers.add(channelLimits.handshakeDeadlineMs, { name: 'overdue' })
    },
    'stop waiting': () => timers.clear(),
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
      diagnose(dialogUrl, appId, loadSecondFile).then(({ certain, error }) => {
        asking = false
        happen({ name: 'diagnosed', certain, error })
      })
    },
    hide,
    end(state) {
      timers.clear()
      unwatchPolicy()
      unwatchViewport()
      cover(frame.hide)
      frameCheck.keep(false)
      channel.destroy()
      frame.remove()
      if (state.name === 'lost') on.onLost(state.error)
    },
  })
  const lose = (error: LatchkeyError) => happen({ name: 'lose', error })

  const frame = createFrame(
    frameAddress(dialogUrl, appId, forUser),
    () => happen({ name: 'load' }),
    on.onRefused,
  )
  const emptyCard = createEmptyCard(
    (heightPx) => frame.isShown() || cover(() => frame.showEmpty(cardColour(on.config()), heightPx)),
    () => frame.isEmpty() && cover(frame.hide),
  )
  const frameCheck = createFrameCheck(frame.isAlive, () => lose(frameRemoved()))
  const timers = createTimers(happen)
  timers.add(loaderLimits.slowLoadMs, { name: 'late' })
  timers.add(loaderLimits.loadDeadlineMs, { name: 'overdue' })
  const unwatchPolicy = watchPolicy(origin, /^(frame|child|default)-src$/, () =>
    lose(new LatchkeyError('host_blocks_frame', `The frame-src policy of this page has to allow ${origin}`)),
  )
  const unwatchViewport = watchViewport(() => {
    // The next change brings what this one could not.
    if (frame.isShown()) channel.call('viewport', frame.viewport()).catch(() => {})
  })

  const channel = openChannel<LoaderMessages, DialogMessages>({
    contract: hostContract,
    side: 'parent',
    receives: loaderMessages,
    // The timers above see more: a document that is still loading, and one that has loaded and says nothing.
    handshakeDeadlineMs: loaderLimits.loadDeadlineMs * 2,
    target: { window: frame.window, origin },
    handlers: {
      show() {
        emptyCard.drop()
        cover(frame.show)
        // Not before: of what is not displayed WebKit says the scheme that it had when it last was.
        hello.tellColorScheme()
        return { viewport: frame.viewport() }
      },
      hide() {
        hide()
        return {}
      },
      event(event) {
        const known = readHostEvent(event)
        if (known?.type === 'open') frame.drawn()
        if (known) on.onEvent(known)
        return {}
      },
      walletRequest: async (asked) => (await loadSecondFile()).askWallet(asked),
    },
    onConnect: () => happen({ name: 'shaken' }),
    onClose: () => happen({ name: 'closed' }),
  })
  const hello = createHello(channel, frame, on)

  function cover(change: () => void) {
    const before = frame.isShown()
    change()
    const shown = frame.isShown()
    if (shown === before) return
    on.onShown(shown)
    checkFrame()
  }
  /** An empty card stays for as long as somebody waits. */
  function hide() {
    if (!frame.isEmpty()) cover(frame.hide)
  }

  const checkFrame = () => frameCheck.keep(calls > 0 || frame.isShown())

  /** The channel says what happened to a call; what happened to the whole connection says more. */
  async function greetedFirst<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    calls += 1
    checkFrame()
    try {
      await untilAborted(hello.answered(), signal)
      return await run()
    } catch (error) {
      if (error instanceof LatchkeyError && error.code === 'frame_unresponsive') {
        happen({ name: 'unanswered' })
      }
      throw (await verdict()) ?? error
    } finally {
      calls -= 1
      checkFrame()
    }
  }

  return {
    async call(name, data, options) {
      const { signal, shows } = options
      const done = shows ? emptyCard.await(signal, heightOf(name)) : undefined
      try {
        // What takes it back before the dialog has it ends it here; from then on the dialog says what was done.
        const send = async () => channel.call(name, await untilAborted(given(data), signal), options)
        return await greetedFirst(send, signal)
      } finally {
        done?.()
      }
    },
    configure: () => greetedFirst(hello.configure),
    isAlive: frame.isAlive,
    lose,
  }
}

/** An event of the dialog. One that this loader does not know, as of a later dialog, is passed over. */
function readHostEvent({ type, ...event }: HostEvent): HostEvent | undefined {
  if (!Object.hasOwn(hostEvents, type)) return undefined
  return { type, ...parse(hostEvents[type], event, 'invalid_data') } as HostEvent
}

const given = async <T>(data: () => T | Promise<T>): Promise<T> => data()

export const frameRemoved = () =>
  new LatchkeyError('frame_unresponsive', 'The frame was removed from the page')

/** Nobody tells when a page removes or moves a frame, so it is looked at while somebody waits for it. */
function createFrameCheck(isAlive: () => boolean, onGone: () => void) {
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    keep(wanted: boolean) {
      clearInterval(timer)
      timer = wanted ? setInterval(() => isAlive() || onGone(), loaderLimits.frameCheckMs) : undefined
    },
  }
}
