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
  readonly wallet: InferOutput<(typeof windowMessages.calls)['open']>['wallet']
  readonly operation: OperationStep
  readonly auth: SealedShare
  readonly device: SealedShare
}

/** The wallet frame, as this window reaches it. */
export type Frame = {
  readonly begin: (said: { readonly publicKey: string }) => Promise<{ readonly address: string }>
  /** True if the page that held the frame navigated away, which sends no message. */
  readonly isGone: () => boolean
}
/** The vault of this window. */
export type WindowVault = {
  readonly begin: () => Promise<{ readonly publicKey: string }>
  readonly open: (given: ForVault) => Promise<{ readonly forms: readonly SecretForm[] }>
  readonly end: () => void
}

export type FlowPorts = {
  readonly clock: Clock
  /** Throws where there is no card that asked. */
  readonly findFrame: (signal: AbortSignal) => Promise<Frame>
  readonly vault: WindowVault
  readonly show: (state: WindowState) => void
  readonly closeWindow: () => void
}

export type WindowState =
  | { readonly status: 'opening' | 'working' }
  /** The user is asked whether they want to see the key. */
  | { readonly status: 'review'; readonly address: string }
  /** A press shows the secret for a limited time. */
  | { readonly status: 'open'; readonly address: string; readonly forms: readonly SecretForm[] }
  /** No card that asked is to be reached from here; or it was there, and this window goes too. */
  | { readonly status: 'alone' | 'gone' }
  /** It is begun anew in the app. */
  | { readonly status: 'over'; readonly code: string }

export type WindowFlow = {
  readonly start: () => Promise<void>
  readonly approve: () => void
  /** The vault of the frame is to sign that this key is shown. */
  readonly confirm: (asked: { readonly digest: string }) => Promise<Readonly<Record<never, never>>>
  readonly open: (given: ForVault) => Promise<Readonly<Record<never, never>>>
  readonly over: (problem: { readonly code: string }) => Readonly<Record<never, never>>
  /** The frame is gone. */
  readonly lose: () => void
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
