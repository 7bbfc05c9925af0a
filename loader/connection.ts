import {
  type CallInput,
  type CallOutput,
  type ClientConfig,
  channelLimits,
  LatchkeyError,
} from '@latchkey/protocol'
import { type Channel, openChannel } from '@latchkey/protocol/channel'
import { type HostContract, type HostEvent, hostContract } from '@latchkey/protocol/host'
import { watchPolicy } from './blocked-by-policy.ts'
import { diagnose } from './diagnosis.ts'
import { frameAddress } from './dialog-address.ts'
import { type ColorScheme, createFrame } from './frame.ts'
import { loaderLimits } from './limits.ts'
import { merge } from './merge.ts'
import { loaderVersion } from './version.ts'
import { watchViewport } from './viewport.ts'

type DialogCalls = HostContract['child']
export type DialogCall = Exclude<keyof DialogCalls, 'hello' | 'configure' | 'viewport'>

/** One frame and the channel to it, from its first address to its loss. It is never repaired: the next replaces it. */
export type Connection = {
  readonly ready: Promise<void>
  call<Name extends DialogCall>(
    name: Name,
    data: CallInput<DialogCalls[Name]>,
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
  readonly config: () => ClientConfig
  readonly onEvent: (event: HostEvent) => void
  readonly onShown: (shown: boolean) => void
  readonly onLost: (error: LatchkeyError) => void
}
export type OpenConnection = (options: ConnectionOptions) => Connection

export const openConnection: OpenConnection = ({ appId, dialogUrl, config, ...on }) => {
  const { origin } = new URL(dialogUrl)
  const reason = Promise.withResolvers<LatchkeyError>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let lost: LatchkeyError | undefined
  let closed = false
  let handshakes = 0
  let loads = 0
  let calls = 0
  let greeting: Promise<void> | undefined
  let requestBlocked = false
  let toldColorScheme: ColorScheme | undefined
  let frameCheck: ReturnType<typeof setInterval> | undefined

  const ask = merge(() => diagnose(dialogUrl, appId, () => requestBlocked))
  const unwatchPolicy = watchPolicy(origin, (use) => {
    if (use === 'request') requestBlocked = true
    else
      lose(new LatchkeyError('host_blocks_frame', `The frame-src policy of this page has to allow ${origin}`))
  })
  const frame = createFrame(frameAddress(dialogUrl, appId), onLoad)
  const unwatchViewport = watchViewport(() => {
    // The next change brings what this one could not.
    if (frame.isShown()) channel.call('viewport', frame.viewport()).catch(() => {})
  })
  const channel: Channel<DialogCalls> = openChannel({
    contract: hostContract,
    side: 'parent',
    target: { window: frame.window, origin },
    handshakeDeadlineMs: loaderLimits.handshakeDeadlineMs,
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
        on.onEvent(event)
        return {}
      },
    },
    onConnect: greet,
    onClose() {
      closed = true
      giveUp()
    },
  })
  after(loaderLimits.slowLoadMs, doubt)

  function greet() {
    handshakes += 1
    setShown(false)
    toldColorScheme = undefined
    const colorScheme = frame.colorScheme()
    greeting = channel
      .call('hello', {
        protocol: channelLimits.protocolVersion,
        loader: loaderVersion,
        config: config(),
        colorScheme,
      })
      .then(() => {
        toldColorScheme = colorScheme
      })
    greeting.catch((error: LatchkeyError) => {
      // A frame that reloads meanwhile is greeted again; a closed channel has its own reason.
      if (!closed && error.code !== 'frame_reloaded') lose(error)
    })
  }

  /** Every document that the frame loads has to shake hands; an error page of the browser never does. */
  function onLoad() {
    loads += 1
    if (handshakes >= loads) return
    setShown(false)
    after(loaderLimits.silentAfterLoadMs, doubt)
    after(loaderLimits.handshakeDeadlineMs, giveUp)
  }

  async function doubt() {
    if (isExpected()) await ask().then(({ certain, error }) => certain && isExpected() && lose(error))
  }

  async function giveUp() {
    if (isExpected()) lose((await ask()).error)
  }

  /** Whether a handshake is still owed. */
  const isExpected = () => !lost && (closed || handshakes === 0 || handshakes < loads)

  function lose(error: LatchkeyError) {
    if (lost) return
    lost = error
    for (const timer of timers) clearTimeout(timer)
    clearInterval(frameCheck)
    unwatchPolicy()
    unwatchViewport()
    setShown(false)
    channel.destroy()
    frame.remove()
    reason.resolve(error)
    on.onLost(error)
  }

  function after(delayMs: number, run: () => void) {
    timers.add(setTimeout(run, delayMs))
  }

  function setShown(shown: boolean) {
    if (shown === frame.isShown()) return
    if (shown) frame.show()
    else frame.hide()
    on.onShown(shown)
    checkFrame()
  }

  function tellColorScheme() {
    const colorScheme = frame.colorScheme()
    if (toldColorScheme === undefined || toldColorScheme === colorScheme) return
    configure().catch(() => {})
  }

  async function configure() {
    toldColorScheme = frame.colorScheme()
    await channel.call('configure', { config: config(), colorScheme: toldColorScheme })
  }

  /** Nobody tells when a page removes or moves a frame, so it is looked at while somebody waits for it. */
  function checkFrame() {
    clearInterval(frameCheck)
    if (calls === 0 && !frame.isShown()) return
    frameCheck = setInterval(() => frame.isAlive() || lose(frameRemoved()), loaderLimits.frameCheckMs)
  }

  /** The channel says what happened to a call; for what happened to the whole connection there is one reason. */
  async function explain(error: LatchkeyError): Promise<LatchkeyError> {
    if (lost || closed) return reason.promise
    if (error.code !== 'frame_unresponsive' || (await showsLife())) return error
    lose((await ask()).error)
    return reason.promise
  }

  /** The code may also be an answer of the dialog's, about a frame of its own. */
  const showsLife = () =>
    channel.call('viewport', frame.viewport(), { deadlineMs: loaderLimits.signOfLifeMs }).then(
      () => true,
      () => false,
    )

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
    call: (name, data) =>
      guard(async () => {
        await greeted()
        return channel.call(name, data)
      }),
    configure: () => guard(() => greeted().then(configure)),
    isAlive: frame.isAlive,
    lose,
  }
}

export const frameRemoved = () =>
  new LatchkeyError('frame_unresponsive', 'The frame of the dialog was removed from the page')
