/** An authenticator app is shown its secret, and shows a code that only it can know. */
import { screen } from '../../../flow/screen.ts'
import type { Enrol } from '../method-change.ts'
import { createPasscode } from '../passcode/passcode.ts'
import { enrolProblemOf } from '../problem.ts'
import { enrolCodeScreen, scanScreen } from '../screens.ts'

export const enrolTotp: Enrol = async ({ ports, card, change, added }) => {
  const { secret, authUrl } = await change.beginTotp()
  const passcode = createPasscode(
    card,
    {
      check: async (code) => added(await change.submit({ method: 'totp', code })),
      problemOf: enrolProblemOf,
      isOver: () => false,
    },
    () => card.update(codeView()),
  )
  const codeView = () =>
    screen(enrolCodeScreen, { method: 'totp', passcode: passcode.shown() }, passcode.handlers)

  // Back from the code leads to the same secret.
  card.go(screen(scanScreen, { secret, authUrl, isPhone: ports.isPhone }, { go: () => card.go(codeView()) }))
}
