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
import type { HostLogin } from '../types/options.ts'
import type { ClientConfig } from '../types/published.ts'
import { watchPolicy } from './blocked-by-policy.ts'
import { createTimers, runStateMachine } from './connection-effects.ts'
import { diagnose } from './diagnosis.ts'
import { frameAddress } from './dialog-address.ts'
import { cardColor, cardHeight, createEmptyCard } from './empty-card.ts'
import { createFrame } from './frame.ts'
import { createHello } from './hello.ts'
import { loaderLimits } from './limits.ts'
import type { SecondFileForFrame } from './second-file.ts'
import { watchViewport } from './viewport.ts'
import { abortable } from './waiting.ts'

/** A call of the dialog, except those that the connection makes itself. */
export type DialogCall = Exclude<keyof DialogCalls, 'hello' | 'configure' | 'viewport'>

/** Creates a call's data. It may wait for the second file while the frame loads. */
export type CallData<Name extends DialogCall> = () =>
  | CallInput<DialogCalls[Name]>
  | Promise<CallInput<DialogCalls[Name]>>

/** A frame and its channel, from load to loss. A lost connection is never repaired but replaced. */
export type Connection = {
  call<Name extends DialogCall>(
    name: Name,
    data: CallData<Name>,
    /** Whether to show an empty card if the dialog's card is slow. */
    options: CallOptions & { shows: boolean },
  ): Promise<CallOutput<DialogCalls[Name]>>
  /** Sends the current configuration to the dialog. */
  configure(): Promise<void>
  isAlive(): boolean
  /** Rejects all pending calls with this error and removes the frame. */
  lose(error: LatchkeyError): void
}

export type ConnectionOptions = {
  appId: string
  dialogUrl: string
  /** Whether the user is waiting for the dialog. */
  forUser: boolean
  config: () => ClientConfig
  hostLogin: () => HostLogin | undefined
  /** Query parameters of the page. Every dialog document receives them, but they are valid only once. */
  parameters: string
  /** Called when the dialog has answered hello and so has received the parameters. */
  onGreeted: () => void
  loadSecondFile: () => Promise<SecondFileForFrame>
  onEvent: (event: HostEvent) => void
  onShown: (shown: boolean) => void
  /** Called when the user closes the empty card, which refuses the pending calls. */
  onRefused: () => void
  onLost: (error: LatchkeyError) => void
}
export type OpenConnection = (options: ConnectionOptions) => Connection

/** Creates a connection: runs the effects of `connection-state.ts` and dispatches its events. */
export const openConnection: OpenConnection = ({ appId, dialogUrl, forUser, loadSecondFile, ...on }) => {
  const { origin } = new URL(dialogUrl)
  let calls = 0
  let isDiagnosing = false

  const { dispatch, lossError } = runStateMachine({
    greet() {
      hello.send().then(
        () => {
          on.onGreeted()
          dispatch({ name: 'greeted' })
        },
        (error: LatchkeyError) => dispatch({ name: 'refused', error }),
      )
    },
    awaitHandshake() {
      timers.clear()
      timers.add(loaderLimits.silentAfterLoadMs, { name: 'late' })
      timers.add(channelLimits.handshakeDeadlineMs, { name: 'overdue' })
    },
    stopWaiting: () => timers.clear(),
    probe() {
      channel.call('viewport', frame.viewport(), { deadlineMs: loaderLimits.signOfLifeMs }).then(
        () => dispatch({ name: 'alive' }),
        // Any other failure proves that the dialog is alive, or dispatches its own event.
        ({ code }: LatchkeyError) => dispatch({ name: code === 'call_timeout' ? 'dead' : 'alive' }),
      )
    },
    diagnose() {
      if (isDiagnosing) return
      isDiagnosing = true
      diagnose(dialogUrl, appId, loadSecondFile).then(({ certain, error }) => {
        isDiagnosing = false
        dispatch({ name: 'diagnosed', certain, error })
      })
    },
    hide,
    end(state) {
      timers.clear()
      unwatchPolicy()
      unwatchViewport()
      cover(frame.hide)
      frameCheck.toggle(false)
      channel.destroy()
      frame.remove()
      if (state.name === 'lost') on.onLost(state.error)
    },
  })
  const handleLoss = (error: LatchkeyError) => dispatch({ name: 'lose', error })

  const frame = createFrame(
    frameAddress(dialogUrl, appId, forUser),
    () => dispatch({ name: 'load' }),
    on.onRefused,
  )
  const emptyCard = createEmptyCard(
    (heightPx) => frame.isShown() || cover(() => frame.showEmpty(cardColor(on.config()), heightPx)),
    () => frame.isEmpty() && cover(frame.hide),
  )
  const frameCheck = createFrameCheck(frame.isAlive, () => handleLoss(frameRemoved()))
  const timers = createTimers(dispatch)
  timers.add(loaderLimits.slowLoadMs, { name: 'late' })
  timers.add(loaderLimits.loadDeadlineMs, { name: 'overdue' })
  const unwatchPolicy = watchPolicy(origin, /^(frame|child|default)-src$/, () =>
    handleLoss(
      new LatchkeyError('host_blocks_frame', `The frame-src policy of this page must allow ${origin}`),
    ),
  )
  const unwatchViewport = watchViewport(() => {
    // A failed update is corrected by the next change.
    if (frame.isShown()) channel.call('viewport', frame.viewport()).catch(() => {})
  })

  const channel = openChannel<LoaderMessages, DialogMessages>({
    contract: hostContract,
    side: 'parent',
    receives: loaderMessages,
    // The timers above are more precise, because they also see `load`.
    handshakeDeadlineMs: loaderLimits.loadDeadlineMs * 2,
    target: { window: frame.window, origin },
    handlers: {
      show() {
        emptyCard.drop()
        cover(frame.show)
        // Only after showing: WebKit keeps the color scheme of an element from when it was last displayed.
        hello.sendColorScheme()
        return { viewport: frame.viewport() }
      },
      hide() {
        hide()
        return {}
      },
      event(event) {
        const hostEvent = readHostEvent(event)
        if (hostEvent?.type === 'open') frame.clearEmpty()
        if (hostEvent) on.onEvent(hostEvent)
        return {}
      },
      walletRequest: async (asked) => (await loadSecondFile()).answerDialog(asked, on.hostLogin()),
    },
    onConnect: () => dispatch({ name: 'handshake' }),
    onClose: () => dispatch({ name: 'closed' }),
  })
  const hello = createHello(channel, frame, on)

  function cover(change: () => void) {
    const wasShown = frame.isShown()
    change()
    const isNowShown = frame.isShown()
    if (isNowShown === wasShown) return
    on.onShown(isNowShown)
    checkFrame()
  }
  /** Hides the dialog, unless the empty card is shown for calls that are still waiting. */
  function hide() {
    if (!frame.isEmpty()) cover(frame.hide)
  }

  const checkFrame = () => frameCheck.toggle(calls > 0 || frame.isShown())

  /**
   * Waits for hello, then runs a call. Prefers the connection's error, which explains more than the channel's.
   */
  async function runAfterHello<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    calls += 1
    checkFrame()
    try {
      await abortable(hello.answered(), signal)
      return await run()
    } catch (error) {
      if (error instanceof LatchkeyError && error.code === 'frame_unresponsive') {
        dispatch({ name: 'unanswered' })
      }
      throw (await lossError()) ?? error
    } finally {
      calls -= 1
      checkFrame()
    }
  }

  return {
    async call(name, data, options) {
      const { signal, shows } = options
      const done = shows ? emptyCard.await(signal, cardHeight(name)) : undefined
      try {
        // Until the call is sent, an abort ends it here. Afterwards the dialog reports the outcome.
        const send = async () => channel.call(name, await abortable(resolveData(data), signal), options)
        return await runAfterHello(send, signal)
      } finally {
        done?.()
      }
    },
    configure: () => runAfterHello(hello.configure),
    isAlive: frame.isAlive,
    lose: handleLoss,
  }
}

/** Validates an event of the dialog. Returns undefined for an event that only later dialogs know. */
function readHostEvent({ type, ...event }: HostEvent): HostEvent | undefined {
  if (!Object.hasOwn(hostEvents, type)) return undefined
  return { type, ...parse(hostEvents[type], event, 'invalid_data') } as HostEvent
}

const resolveData = async <T>(data: () => T | Promise<T>): Promise<T> => data()

export const frameRemoved = () =>
  new LatchkeyError('frame_unresponsive', 'The frame was removed from the page')

/** Polls whether the frame is still attached, because no event reports that a page removed or moved it. */
function createFrameCheck(isAlive: () => boolean, onGone: () => void) {
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    toggle(active: boolean) {
      clearInterval(timer)
      timer = active ? setInterval(() => isAlive() || onGone(), loaderLimits.frameCheckMs) : undefined
    },
  }
}
