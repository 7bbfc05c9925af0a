/** The user says how their wallet is kept: which way, where there are several, and then what that way asks for. */
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { CardHandle } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { setByCloud } from './cloud/by-cloud.ts'
import type { RecoveryOutside } from './outside.ts'
import type { RecoveryOption } from './recovery-options.ts'
import { selectionScreen } from './screens.ts'
import type { Choosing, SetRecovery } from './setting.ts'
import { setByWindow } from './window/by-window.ts'

const setters: { [Option in RecoveryOption]: SetRecovery } = {
  'google-drive': setByCloud('google-drive'),
  icloud: setByCloud('icloud'),
  passkey: setByWindow('passkey'),
  'user-passcode': setByWindow('user-passcode'),
}

export function chooseMethod(
  ports: CapabilityPorts,
  card: CardHandle,
  outside: RecoveryOutside,
  { options, ...choosing }: Choosing,
): Promise<void> {
  const [only] = options
  if (only !== undefined && options.length === 1) {
    return setters[only](ports, card, { ...choosing, outside, show: card.replace })
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const choose = (method: RecoveryOption) =>
    setters[method](ports, card, { ...choosing, outside, show: card.go }).then(resolve, reject)
  const state = { options, present: choosing.present, byUser: choosing.byUser !== undefined }
  card.replace(
    screen(selectionScreen, state, {
      choose: (method) => void choose(method),
      cancel: choosing.byUser?.cancel ?? (() => {}),
    }),
  )
  return promise
}
