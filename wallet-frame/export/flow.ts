/**
 * The state machine of the export window. It shows the wallet, asks the user to approve the export, and passes the
 * shares to its vault. Closing the window rejects the export. If the wallet frame goes away, the window stops
 * showing the key.
 */
import { dialogLimits, LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { OperationStep, SealedShare } from '@latchkey/protocol/wallet'
import type { InferOutput } from 'valibot'
import type { Clock } from '../clock.ts'
import { actionDigest } from '../pages/action-digest.ts'
import { watchFrame } from '../pages/handshake/watch-frame.ts'
import type { SecretForm } from '../vault/export/contract.ts'
import type { windowMessages } from './contract.ts'

type ReceivedShares = {
  wallet: InferOutput<(typeof windowMessages.calls)['open']>['wallet']
  operation: OperationStep
  auth: SealedShare
  device: SealedShare
}

/** The wallet frame, as the window sees it. */
export type Frame = {
  begin: (vaultKey: { publicKey: string }) => Promise<{ address: string }>
  /** Returns whether the page around the frame navigated away, which sends no message. */
  isGone: () => boolean
}
/** The vault of this window. */
export type WindowVault = {
  begin: () => Promise<{ publicKey: string }>
  open: (shares: ReceivedShares) => Promise<{ forms: readonly SecretForm[] }>
  end: () => void
}

export type FlowPorts = {
  clock: Clock
  /** Throws if no wallet frame has opened this window. */
  findFrame: (signal: AbortSignal) => Promise<Frame>
  vault: WindowVault
  show: (state: WindowState) => void
  closeWindow: () => void
}

export type WindowState =
  | { status: 'opening' | 'working' }
  /** The user is asked to approve the export. */
  | { status: 'review'; address: string }
  /** A press shows the secret for a limited time. */
  | { status: 'open'; address: string; forms: readonly SecretForm[] }
  /** `alone`: no wallet frame was found. `gone`: the frame went away, and this window closes. */
  | { status: 'alone' | 'gone' }
  /** The user must start again in the app. */
  | { status: 'over'; code: string }

export type WindowFlow = {
  start: () => Promise<void>
  approve: () => void
  /** Asks for the user's approval, before the frame's vault signs it. */
  confirm: (request: { digest: string }) => Promise<Readonly<Record<never, never>>>
  open: (given: ReceivedShares) => Promise<Readonly<Record<never, never>>>
  fail: (problem: { code: string }) => Readonly<Record<never, never>>
  /** Handles the loss of the frame. */
  lose: () => void
}

export function createWindowFlow({ clock, findFrame, vault, show, closeWindow }: FlowPorts): WindowFlow {
  let address: string | undefined
  let approval: PromiseWithResolvers<void> | undefined
  let isApproved = false
  let isOver = false

  async function start() {
    show({ status: 'opening' })
    const late = new AbortController()
    const stop = clock.after(walletLimits.frameReadyImperativeMs, () =>
      late.abort(new LatchkeyError('frame_unresponsive', 'No wallet frame waits for this window')),
    )
    try {
      const frame = await findFrame(late.signal)
      const wallet = await frame.begin(await vault.begin())
      address = wallet.address
      watchFrame(clock, { isGone: frame.isGone, isOver: () => isOver, onGone: loseFrame })
    } catch {
      end({ status: 'alone' })
    } finally {
      stop()
    }
  }

  function loseFrame() {
    if (isOver) return
    end({ status: 'gone' })
    clock.after(dialogLimits.successCloseMs, closeWindow)
  }

  /** Ends the window and drops all received data. */
  function end(state: WindowState) {
    if (isOver) return
    isOver = true
    vault.end()
    approval?.reject(new LatchkeyError('user_rejected_request', 'The window ended before the user approved'))
    show(state)
  }

  return {
    start,
    approve() {
      if (!approval || isApproved || isOver) return
      isApproved = true
      show({ status: 'working' })
      approval.resolve()
    },
    async confirm({ digest }) {
      const shownAddress = address
      if (
        shownAddress === undefined ||
        digest !== (await actionDigest({ method: 'export', params: [shownAddress] }))
      ) {
        throw new LatchkeyError('invalid_data', 'The digest does not match what this window shows')
      }
      if (approval || isOver) throw new LatchkeyError('not_found', 'This window asks for no other approval')
      const pending = Promise.withResolvers<void>()
      approval = pending
      show({ status: 'review', address: shownAddress })
      await pending.promise
      return {}
    },
    async open(shares) {
      if (address === undefined || !isApproved || isOver) {
        throw new LatchkeyError('not_found', 'The user has not approved this export')
      }
      const { forms } = await vault.open(shares)
      if (!isOver) show({ status: 'open', address, forms })
      return {}
    },
    fail({ code }) {
      end({ status: 'over', code })
      return {}
    },
    lose: loseFrame,
  }
}
