/** A file in the user's own cloud, from now on. */
import { dialogLimits } from '@latchkey/protocol'
import type { AccountAction, CloudRecovery } from '@latchkey/protocol/wallet'
import type { CapabilityPorts } from '../../../core/capability.ts'
import type { Confirming } from '../../../core/confirmed.ts'
import { requestAction } from '../../../core/confirmed-action.ts'
import type { CardHandle } from '../../../core/flow.ts'
import { screen } from '../../../core/screen.ts'
import type { Confirmed } from '../../../wallet/confirmed.ts'
import { cloudScreen } from '../screens.ts'
import type { SetRecovery } from '../setting.ts'
import { type CloudApproval, runCloud } from './run-cloud.ts'

export const setByCloud =
  (cloud: CloudRecovery): SetRecovery =>
  async (ports, card, { address, byUser, save, show, outside }) => {
    const close = byUser?.close
    const present = address()
    const approval = present === null ? undefined : approvalOf(ports, card, present, cloud)
    await runCloud(ports, card, {
      cloud,
      purpose: 'set',
      browser: outside.browser,
      show,
      cancel: byUser?.cancel,
      close,
      approval,
      async use(own) {
        const confirmation = approval?.take()
        await save({ ...own, confirmation })
      },
    })
    const canCancel = byUser !== undefined
    const nothing = () => {}
    card.restart(
      screen(
        cloudScreen,
        { cloud, purpose: 'set', canCancel, step: { at: 'done' } },
        { open: nothing, cancel: nothing, close: close ?? nothing },
      ),
    )
    if (!byUser) await card.hold(dialogLimits.successCloseMs)
  }

/** One that was used is asked for anew: it is good for one change. */
function approvalOf(
  { wallet, clock, confirmOnPage }: Pick<CapabilityPorts, 'wallet' | 'clock' | 'confirmOnPage'>,
  card: CardHandle,
  address: string,
  cloud: CloudRecovery,
): CloudApproval & { readonly take: () => Confirmed | undefined } {
  const action: AccountAction = { method: 'set-recovery', params: [address, cloud] }
  let put: { readonly confirming: Confirming; readonly ready: Promise<void> } | undefined
  let given: Confirmed | undefined
  return {
    given: () => given,
    take() {
      const taken = given
      given = undefined
      return taken
    },
    prepare() {
      if (put) return put.ready
      const ready = Promise.withResolvers<void>()
      const confirming = requestAction(
        { wallet, clock, confirmOnPage },
        { card, address, action },
        (shown) => {
          if (shown.by === 'page' && shown.isReady) ready.resolve()
        },
      )
      confirming.outcome.catch((error: unknown) => {
        put = undefined
        ready.reject(error)
      })
      put = { confirming, ready: ready.promise }
      return ready.promise
    },
    async open() {
      const asked = put?.confirming
      if (!asked) return
      put = undefined
      asked.handlers.openPage()
      given = await asked.outcome
    },
  }
}
