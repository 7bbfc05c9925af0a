/**
 * The window in which a user sees the key of their wallet. It says which wallet this is about, asks whether they want to
 * see its key, and takes up what its vault needs for that. Whoever closes it has said no; where the wallet frame is gone,
 * it shows nothing any more.
 */
import { dialogLimits, LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { OperationStep, SealedShare } from '@latchkey/protocol/wallet'
import type { InferOutput } from 'valibot'
import type { Clock } from '../clock.ts'
import { actionDigest } from '../pages/action-digest.ts'
import { watchFrame } from '../pages/handshake/watch-frame.ts'
import type { SecretForm } from '../vault/export/contract.ts'
import type { windowMessages } from './contract.ts'

type ForVault = {
  wallet: InferOutput<(typeof windowMessages.calls)['open']>['wallet']
  operation: OperationStep
  auth: SealedShare
  device: SealedShare
}

/** The wallet frame, as this window reaches it. */
export type Frame = {
  begin: (said: { publicKey: string }) => Promise<{ address: string }>
  /** True if the page that held the frame navigated away, which sends no message. */
  isGone: () => boolean
}
/** The vault of this window. */
export type WindowVault = {
  begin: () => Promise<{ publicKey: string }>
  open: (given: ForVault) => Promise<{ forms: readonly SecretForm[] }>
  end: () => void
}

export type FlowPorts = {
  clock: Clock
  /** Throws where there is no card that asked. */
  findFrame: (signal: AbortSignal) => Promise<Frame>
  vault: WindowVault
  show: (state: WindowState) => void
  closeWindow: () => void
}

export type WindowState =
  | { status: 'opening' | 'working' }
  /** The user is asked whether they want to see the key. */
  | { status: 'review'; address: string }
  /** A press shows the secret for a limited time. */
  | { status: 'open'; address: string; forms: readonly SecretForm[] }
  /** No card that asked is to be reached from here; or it was there, and this window goes too. */
  | { status: 'alone' | 'gone' }
  /** It is begun anew in the app. */
  | { status: 'over'; code: string }

export type WindowFlow = {
  start: () => Promise<void>
  approve: () => void
  /** The vault of the frame is to sign that this key is shown. */
  confirm: (asked: { digest: string }) => Promise<Readonly<Record<never, never>>>
  open: (given: ForVault) => Promise<Readonly<Record<never, never>>>
  over: (problem: { code: string }) => Readonly<Record<never, never>>
  /** The frame is gone. */
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
      const begun = await frame.begin(await vault.begin())
      address = begun.address
      watchFrame(clock, { isGone: frame.isGone, isOver: () => isOver, onGone: lose })
    } catch {
      end({ status: 'alone' })
    } finally {
      stop()
    }
  }

  function lose() {
    if (isOver) return
    end({ status: 'gone' })
    clock.after(dialogLimits.successCloseMs, closeWindow)
  }

  /** Ends the window and drops everything that was handed over. */
  function end(state: WindowState) {
    if (isOver) return
    isOver = true
    vault.end()
    approval?.reject(new LatchkeyError('user_rejected_request', 'It was not said'))
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
      const shown = address
      if (shown === undefined || digest !== (await actionDigest({ method: 'export', params: [shown] }))) {
        throw new LatchkeyError('invalid_data', 'What was asked for is not what is shown here')
      }
      if (approval || isOver) throw new LatchkeyError('not_found', 'Nobody is asked for this any more')
      const mine = Promise.withResolvers<void>()
      approval = mine
      show({ status: 'review', address: shown })
      await mine.promise
      return {}
    },
    async open(given) {
      if (address === undefined || !isApproved || isOver) {
        throw new LatchkeyError('not_found', 'Nobody said here that they want to see it')
      }
      const { forms } = await vault.open(given)
      if (!isOver) show({ status: 'open', address, forms })
      return {}
    },
    over({ code }) {
      end({ status: 'over', code })
      return {}
    },
    lose,
  }
}
