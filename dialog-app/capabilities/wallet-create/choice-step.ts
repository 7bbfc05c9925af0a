/** This step of a login makes the user's wallet where they say first how it is kept. */
import { walletLimits } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { AfterLogin, StepOutcome } from '../../contract/login.ts'
import { screen } from '../../flow/screen.ts'
import { type CreateUserWallet, isKeptOtherwise } from './creation.ts'
import type { CreatedState } from './creation-screens.tsx'
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
  const keptOtherwise = Promise.withResolvers<'kept otherwise'>()
  const chosen = chooseRecovery(card, async (own) => {
    try {
      await create('dialog', own)
    } catch (error) {
      if (!isKeptOtherwise(error)) throw error
      keptOtherwise.resolve('kept otherwise')
      // The choice is over: another one would not be in force either.
      await new Promise<never>(() => {})
    }
  })
  const outcome = await Promise.race([chosen, closed, keptOtherwise.promise])
  if (outcome === 'closed') return { type: 'undone' }
  const state: CreatedState = {
    title: login.isNewUser ? 'welcome' : 'allSet',
    ...(outcome === 'kept otherwise' && { isKeptOtherwise: true }),
  }
  return {
    type: 'done',
    success: { screen: screen(createdScreen, state, {}), holdMs: walletLimits.createdScreenCloseMs },
  }
}
