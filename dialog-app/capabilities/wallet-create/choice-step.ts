/** A step after a login: the user chooses the recovery method of their wallet, and the wallet is created with it. */
import { walletLimits } from '@latchkey/protocol'
import { openOnCard } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { AfterLogin, StepOutcome } from '../../contract/login.ts'
import { type CreateUserWallet, isKeptOtherwise } from './creation.ts'
import { createdScreen } from './screens.ts'

/** Takes the step. If the user closes the card, they stay logged in and their wallet stays due. */
export async function takeChoiceStep(
  ports: CapabilityPorts,
  create: CreateUserWallet,
  { card, login, seen }: AfterLogin,
): Promise<StepOutcome> {
  await seen
  const closed = new Promise<'closed'>((resolve) => {
    card.signal.addEventListener('abort', () => resolve('closed'))
  })
  const keptOtherwise = Promise.withResolvers<'kept otherwise'>()
  const choice = ports.chooseRecovery(card, async (own) => {
    try {
      await create('dialog', own)
    } catch (error) {
      if (!isKeptOtherwise(error)) throw error
      keptOtherwise.resolve('kept otherwise')
      // Another choice would have no effect either, so the choice never settles.
      await new Promise<never>(() => {})
    }
  })
  const outcome = await Promise.race([choice, closed, keptOtherwise.promise])
  if (outcome === 'closed') return { type: 'undone' }
  void openOnCard(ports, card, createdScreen, {
    title: login.isNewUser ? 'welcome' : 'allSet',
    isKeptOtherwise: outcome === 'kept otherwise',
  })
  return { type: 'done', seen: card.hold(walletLimits.createdScreenCloseMs) }
}
