/** The wallet that a login makes where the user says first how it is kept. */
import { walletLimits } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { AfterLogin, StepOutcome } from '../../core/login.ts'
import { screen } from '../../core/screen.ts'
import type { CreateUserWallet } from './creation.ts'
import { createdScreen } from './screens.ts'

/** Who closes the card is logged in, and their wallet stays due. */
export async function takeChoiceStep(
  { chooseRecovery }: Pick<CapabilityPorts, 'chooseRecovery'>,
  create: CreateUserWallet,
  { card, login, seen }: AfterLogin,
): Promise<StepOutcome> {
  await seen
  const closed = new Promise<'closed'>((resolve) => {
    card.signal.addEventListener('abort', () => resolve('closed'))
  })
  const chosen = chooseRecovery(card, async (own) => {
    await create('dialog', own)
  })
  if ((await Promise.race([chosen, closed])) === 'closed') return { type: 'undone' }
  const title = login.isNewUser ? 'Welcome' : 'All set!'
  return {
    type: 'done',
    success: { screen: screen(createdScreen, { title }, {}), holdMs: walletLimits.createdScreenCloseMs },
  }
}
