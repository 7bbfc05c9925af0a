/** This step of a login makes the user's wallet and says so, or takes the login back. */
import { findEmbeddedWallet, LatchkeyError, walletLimits } from '@latchkey/protocol'
import { failurePayload } from '../../api/analytics.ts'
import type { DialogServices } from '../../app/services.ts'
import type { AfterLogin, StepOutcome } from '../../contract/login.ts'
import { screen } from '../../flow/screen.ts'
import { type CreateUserWallet, CreationError } from './creation.ts'
import type { CreatingProblem, CreatingState } from './creation-screens.tsx'
import { createdScreen, creatingScreen } from './screens.ts'

export async function takeCreationStep(
  { session, analytics }: Pick<DialogServices, 'session' | 'analytics'>,
  create: CreateUserWallet,
  { card, login, seen, startOver }: AfterLogin,
): Promise<StepOutcome> {
  let hasFailed = false
  // Creation runs while the user reads the login's success, and its screen shows even if the wallet exists by then.
  const after = seen.then(async () => {
    if (hasFailed) return
    card.replace(view({ status: 'creating' }))
    await card.hold(walletLimits.creatingScreenMs)
  })
  try {
    await create('dialog')
  } catch (error) {
    hasFailed = !hasWalletMeanwhile()
    if (hasFailed) return await takeBack(error)
  }
  const title = login.isNewUser ? 'welcome' : 'allSet'
  return {
    type: 'done',
    success: {
      screen: screen(createdScreen, { title }, {}),
      holdMs: walletLimits.createdScreenCloseMs,
      after,
    },
  }

  function view(state: CreatingState) {
    return screen(creatingScreen, state, { retry: startOver })
  }

  /** Another tab may have been quicker. */
  function hasWalletMeanwhile() {
    const state = session.state()
    return state.status === 'authenticated' && findEmbeddedWallet(state.user) !== undefined
  }

  /** Another tab may have logged somebody else in, who stays. */
  function isTheirs() {
    const state = session.state()
    return state.status === 'authenticated' && state.user.id === login.user.id
  }

  async function takeBack(error: unknown): Promise<StepOutcome> {
    // Who closed the card is logged in, and their wallet stays due.
    if (card.signal.aborted) return { type: 'undone' }
    if (isTheirs()) {
      analytics('embedded_wallet_creation_failure_logout', failurePayload(error))
      await session.logout()
    }
    const failed = view({ status: 'failed', problem: problemOf(error) })
    if (card.isAt(creatingScreen)) card.update(failed)
    else card.replace(failed)
    return { type: 'undone' }
  }
}

function problemOf(error: unknown): CreatingProblem {
  if (error instanceof CreationError) return error.problem
  return error instanceof LatchkeyError ? { sentence: error.message } : 'failed'
}
