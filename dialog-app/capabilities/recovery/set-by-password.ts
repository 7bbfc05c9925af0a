/** A first password, or another one in the place of the one that there is. */
import { screen } from '../../core/screen.ts'
import { passwordCreateScreen, passwordUpdateScreen, updateSplashScreen } from './screens.ts'
import type { SetRecovery } from './setting.ts'
import { runWizard } from './wizard.ts'

export const setByPassword: SetRecovery = async (ports, card, { present, byUser, save, show }) => {
  const set = (password: string) => save({ method: 'user-passcode', password })
  if (present !== 'user-passcode') {
    return runWizard(ports, card, { record: passwordCreateScreen, byUser, save: set, show })
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const next = () =>
    runWizard(ports, card, { record: passwordUpdateScreen, byUser, save: set, show: card.replace }).then(
      resolve,
      reject,
    )
  const cancel = byUser?.cancel ?? (() => {})
  show(screen(updateSplashScreen, {}, { next: () => void next(), cancel }))
  return promise
}
