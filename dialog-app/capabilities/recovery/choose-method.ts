/** Asks the user for a recovery method, and sets it. A single method is not asked for. */
import { openOnCard, pushOnCard } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import type { CardHandle } from '../../flow/flow.ts'
import { setByCloud } from './cloud/by-cloud.ts'
import type { RecoveryOption } from './recovery-options.ts'
import { selectionScreen } from './screens.ts'
import type { SetRecovery, Setting } from './setting.ts'
import { setByWindow } from './window/by-window.ts'

const setters: { [Option in RecoveryOption]: SetRecovery } = {
  'google-drive': setByCloud('google-drive'),
  icloud: setByCloud('icloud'),
  passkey: setByWindow('passkey'),
  'user-passcode': setByWindow('user-passcode'),
}

export async function chooseMethod(
  services: DialogServices,
  card: CardHandle,
  options: readonly RecoveryOption[],
  setting: Setting,
): Promise<void> {
  const [only] = options
  if (only !== undefined && options.length === 1) return setters[only](services, card, setting, openOnCard)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  void openOnCard(services, card, selectionScreen, {
    options,
    present: setting.present,
    onChoose: (method) => void setters[method](services, card, setting, pushOnCard).then(resolve, reject),
    onCancel: setting.leave,
  })
  return promise
}
