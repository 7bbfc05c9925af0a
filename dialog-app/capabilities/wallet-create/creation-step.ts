/** A step after a login: creates the user's wallet and shows so, or reverts the login. */
import { findEmbeddedWallet, LatchkeyError, walletLimits } from '@latchkey/protocol'
import { failurePayload } from '../../api/analytics.ts'
import { openOnCard } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import type { AfterLogin, StepOutcome } from '../../contract/login.ts'
import { type CreateUserWallet, CreationError } from './creation.ts'
import type { CreatingProblem } from './creation-screens.tsx'
import { createdScreen, creatingScreen } from './screens.ts'

export async function takeCreationStep(
  services: DialogServices,
  create: CreateUserWallet,
  { card, login, seen, startOver }: AfterLogin,
): Promise<StepOutcome> {
  const { session, analytics } = services
  const failure = Promise.withResolvers<CreatingProblem>()
  let hasFailed = false
  // Creation runs while the user reads the login's success, and its screen shows even if the wallet exists by then.
  const creatingSeen = seen.then(async () => {
    if (hasFailed) return
    showCreating()
    await card.hold(walletLimits.creatingScreenMs)
  })
  try {
    await create('dialog')
  } catch (error) {
    hasFailed = !hasWalletMeanwhile()
    if (hasFailed) return await revert(error)
  }
  return { type: 'done', seen: creatingSeen.then(showCreated) }

  function showCreated() {
    const title = login.isNewUser ? 'welcome' : 'allSet'
    void openOnCard(services, card, createdScreen, { title })
    return card.hold(walletLimits.createdScreenCloseMs)
  }

  function showCreating(problem?: CreatingProblem) {
    const props = { problem, failure: failure.promise }
    // The promise rejects when the card closes.
    openOnCard(services, card, creatingScreen, props).then(startOver, () => {})
  }

  /** Returns whether another tab created the wallet first. */
  function hasWalletMeanwhile() {
    const state = session.state()
    return state.status === 'authenticated' && findEmbeddedWallet(state.user) !== undefined
  }

  /** Returns whether the session still belongs to this user. Another tab may have logged in a different one. */
  function isSameUser() {
    const state = session.state()
    return state.status === 'authenticated' && state.user.id === login.user.id
  }

  async function revert(error: unknown): Promise<StepOutcome> {
    // After the user closed the card, they stay logged in and their wallet stays due.
    if (card.signal.aborted) return { type: 'undone' }
    if (isSameUser()) {
      analytics('embedded_wallet_creation_failure_logout', failurePayload(error))
      await session.logout()
    }
    const problem = toProblem(error)
    if (card.isAt(creatingScreen)) failure.resolve(problem)
    else showCreating(problem)
    return { type: 'undone' }
  }
}

function toProblem(error: unknown): CreatingProblem {
  if (error instanceof CreationError) return error.problem
  return error instanceof LatchkeyError ? { sentence: error.message } : 'failed'
}
