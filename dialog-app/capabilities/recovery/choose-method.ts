/** The user says how their wallet is kept: which way, where there are several, and then what that way asks for. */
import type { RecoveryMethod } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { CardHandle } from '../../core/flow.ts'
import { screen } from '../../core/screen.ts'
import type { OwnRecovery } from '../../wallet/own-recovery.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'
import { setByCloud } from './cloud/set-by-cloud.ts'
import type { RecoveryOption } from './recovery-options.ts'
import { selectionScreen } from './screens.ts'
import { setByPassword } from './set-by-password.ts'

/** The user began it, and may end it; else there is nothing to cancel, and it closes by itself. */
export type ByUser = { readonly cancel: () => void; readonly close: () => void }

export type Choosing = {
  readonly options: readonly RecoveryOption[]
  /** How the wallet that is there is kept now. */
  readonly present: RecoveryMethod | undefined
  readonly byUser: ByUser | undefined
  readonly save: (own: OwnRecovery) => Promise<void>
}
export type Setting = Omit<Choosing, 'options'> & {
  /** Its first screen: one that stands alone, or that back leads from. */
  readonly show: CardHandle['go']
  readonly browser: WindowBrowser | undefined
}
/** Resolves when it is set, and where nobody closes it, when that was seen. */
export type SetRecovery = (ports: CapabilityPorts, card: CardHandle, setting: Setting) => Promise<void>

const setters: { readonly [Option in RecoveryOption]: SetRecovery } = {
  'google-drive': setByCloud('google-drive'),
  icloud: setByCloud('icloud'),
  'user-passcode': setByPassword,
}

export function chooseMethod(
  ports: CapabilityPorts,
  card: CardHandle,
  browser: WindowBrowser | undefined,
  { options, ...choosing }: Choosing,
): Promise<void> {
  const [only] = options
  if (only !== undefined && options.length === 1) {
    return setters[only](ports, card, { ...choosing, browser, show: card.replace })
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const choose = (method: RecoveryOption) =>
    setters[method](ports, card, { ...choosing, browser, show: card.go }).then(resolve, reject)
  const state = { options, present: choosing.present, byUser: choosing.byUser !== undefined }
  card.replace(
    screen(selectionScreen, state, {
      choose: (method) => void choose(method),
      cancel: choosing.byUser?.cancel ?? (() => {}),
    }),
  )
  return promise
}
