/**
 * The hidden wallet frame: mounted at once, opened again when it died.
 *
 * A frame that never answers its handshake (its server was down, the user went offline) is of no further use: it
 * is taken away, and the next call that needs one mounts another.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import { type Channel, openChannel } from '@latchkey/protocol/channel'
import {
  type OpenedPage,
  openWindowPage,
  type WalletFrameCalls,
  walletContract,
  walletParentMessages,
} from '@latchkey/protocol/wallet'
import type { Clock } from '../browser/ports.ts'
import { type Cancellable, orAborted, within } from '../browser/waiting.ts'

export type WalletChannel = Channel<WalletFrameCalls>

/** One mounted frame; `unmount` takes it away. */
export type MountedFrame = { window: Window; unmount: () => void }

export type WalletFrame = {
  /** The frame, once it can serve calls; rejects after the wait. */
  ready: (waitMs: number, asker?: Cancellable) => Promise<WalletChannel>
  mount: () => void
}

export type OpenWalletChannel = (frame: MountedFrame, onClose: () => void) => WalletChannel

export function createWalletFrame(ports: {
  clock: Clock
  mountFrame: () => MountedFrame
  open: OpenWalletChannel
}): WalletFrame {
  let present: { channel: WalletChannel; discard: () => void } | undefined

  function mount() {
    if (present) return present
    const frame = ports.mountFrame()
    const discard = () => {
      if (present?.channel === channel) present = undefined
      channel.destroy()
      frame.unmount()
    }
    const channel: WalletChannel = ports.open(frame, discard)
    present = { channel, discard }
    return present
  }

  async function ready(waitMs: number, { signal }: Cancellable = {}): Promise<WalletChannel> {
    const mine = mount()
    const tooLate = () => {
      mine.discard()
      return new LatchkeyError('frame_unresponsive', `The wallet was not ready within ${waitMs} ms`)
    }
    await orAborted(within(ports.clock, waitMs, becomeReady(mine.channel), tooLate), signal)
    return mine.channel
  }

  return { ready, mount: () => void mount() }
}

async function becomeReady(channel: WalletChannel) {
  await channel.ready
  await channel.call('iframe:ready', {})
}

export function openWalletChannel(origin: string): OpenWalletChannel {
  return (frame, onClose) =>
    openChannel({
      contract: walletContract,
      side: 'parent',
      receives: walletParentMessages,
      target: { window: frame.window, origin },
      handlers: { 'iframe:ready': () => ({}) },
      handshakeDeadlineMs: walletLimits.frameReadyMs,
      onClose,
    })
}

export type WalletPlace = {
  walletOrigin: string
  appId: string
  analyticsId: string
  /** A cross-origin isolated host blocks frames that do not say that they may be in it. */
  isolated: boolean
}

/** Of the frame, or of a page beside it. */
export function walletFrameUrl(frame: WalletPlace, page = ''): string {
  const url = new URL(`/apps/${frame.appId}/embedded-wallets${page}`, frame.walletOrigin)
  url.searchParams.set('caid', frame.analyticsId)
  url.searchParams.set('client_id', '')
  if (frame.isolated) url.searchParams.set('coi', '1')
  return url.href
}

/** A window that is not open yet: the button has the address, and what follows its `#` is the handle of the window. */
export type NextWindow = { handle: string; buttonUrl: string }

/** The address of the button that opens such a page in its own click. */
export function windowButtonUrl(
  frame: WalletPlace,
  page: OpenedPage,
  handle: string,
  address?: string,
): string {
  const url = new URL(walletFrameUrl(frame, `/${openWindowPage}`))
  url.searchParams.set('page', page)
  if (address !== undefined) url.searchParams.set('address', address)
  url.hash = handle
  return url.href
}

/** Shows nothing, takes no space and no focus. */
export function mountHiddenFrame(document: Document, url: string): MountedFrame {
  const frame = document.createElement('iframe')
  frame.style.setProperty('display', 'none')
  frame.width = '0'
  frame.height = '0'
  frame.tabIndex = -1
  frame.ariaHidden = 'true'
  frame.src = url
  document.body.append(frame)
  if (!frame.contentWindow) throw new LatchkeyError('frame_unresponsive', 'The wallet frame has no window')
  return { window: frame.contentWindow, unmount: () => frame.remove() }
}
