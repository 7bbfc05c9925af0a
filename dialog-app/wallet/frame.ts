/**
 * The hidden wallet frame: mounted ahead of use, and again after its channel closed.
 *
 * A frame that never completes its handshake (server down, user offline) is removed. The next call mounts a new one.
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
import { type Cancellable, orAborted, withDeadline } from '../browser/waiting.ts'

export type WalletChannel = Channel<WalletFrameCalls>

/** A mounted frame. `unmount` removes it. */
export type MountedFrame = { window: Window; unmount: () => void }

export type WalletFrame = {
  /** Resolves with the frame's channel once it serves calls. Rejects after the wait. */
  ready: (waitMs: number, options?: Cancellable) => Promise<WalletChannel>
  mount: () => void
}

export type OpenWalletChannel = (frame: MountedFrame, onClose: () => void) => WalletChannel

export function createWalletFrame(ports: {
  clock: Clock
  mountFrame: () => MountedFrame
  open: OpenWalletChannel
}): WalletFrame {
  let current: { channel: WalletChannel; discard: () => void } | undefined

  function mount() {
    if (current) return current
    const frame = ports.mountFrame()
    const discard = () => {
      if (current?.channel === channel) current = undefined
      channel.destroy()
      frame.unmount()
    }
    const channel: WalletChannel = ports.open(frame, discard)
    current = { channel, discard }
    return current
  }

  async function ready(waitMs: number, { signal }: Cancellable = {}): Promise<WalletChannel> {
    const mounted = mount()
    const onTimeout = () => {
      mounted.discard()
      return new LatchkeyError('frame_unresponsive', `The wallet was not ready within ${waitMs} ms`)
    }
    await orAborted(withDeadline(ports.clock, waitMs, awaitReady(mounted.channel), onTimeout), signal)
    return mounted.channel
  }

  return { ready, mount: () => void mount() }
}

async function awaitReady(channel: WalletChannel) {
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
  /** A cross-origin isolated host page blocks frames that do not opt in. */
  isolated: boolean
}

/** Returns the URL of the frame, or of another wallet page. */
export function walletFrameUrl(frame: WalletPlace, page = ''): string {
  const url = new URL(`/apps/${frame.appId}/embedded-wallets${page}`, frame.walletOrigin)
  url.searchParams.set('caid', frame.analyticsId)
  url.searchParams.set('client_id', '')
  if (frame.isolated) url.searchParams.set('coi', '1')
  return url.href
}

/** A window to open: the URL of its button, and the handle from the URL's fragment. */
export type NextWindow = { handle: string; buttonUrl: string }

/** Returns the URL of the button that opens the page on click. */
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

/** Mounts the frame without display, size or focus. */
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
