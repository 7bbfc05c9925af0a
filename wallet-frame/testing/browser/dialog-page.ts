/**
 * The page above the wallet frame, for browser tests: the dialog's calls, on buttons that the test presses.
 */
import { LatchkeyError, product } from '@latchkey/protocol'
import { openChannel } from '@latchkey/protocol/channel'
import {
  type FrameMessages,
  type WalletFrameCalls,
  walletContract,
  walletParentMessages,
} from '@latchkey/protocol/wallet'

export type DialogPage = {
  call(name: keyof WalletFrameCalls, data: unknown): Promise<unknown>
  readyReports: () => number
}

const frame = document.querySelector('iframe')
if (!frame?.contentWindow) throw new Error('The page has no wallet frame')
let readyReports = 0

const channel = openChannel<typeof walletParentMessages, FrameMessages>({
  contract: walletContract,
  side: 'parent',
  receives: walletParentMessages,
  target: { window: frame.contentWindow, origin: new URL(frame.src).origin },
  handlers: {
    'iframe:ready': () => {
      readyReports += 1
      return {}
    },
  },
  handshakeDeadlineMs: 3_000,
})

const page: DialogPage = {
  /** Settles with a plain value, because the test runs in another process. */
  async call(name, data) {
    try {
      return { data: await channel.call(name, data as never) }
    } catch (error) {
      if (!(error instanceof LatchkeyError)) throw error
      return { error: error.code }
    }
  },
  readyReports: () => readyReports,
}
Object.assign(globalThis, { [product.global]: page })
