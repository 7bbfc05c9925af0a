/** The wallet that a login makes: creates it, says so, or takes the login back. */
import { embeddedWallet, toLatchkeyError, walletLimits } from '@latchkey/protocol'
import { failurePayload } from '../../api/analytics.ts'
import type { AfterLogin, StepOutcome } from '../../core/login.ts'
import type { FlowPorts } from '../../core/ports.ts'
import { screen } from '../../core/screen.ts'
import type { CreateUserWallet } from './creation.ts'
import { createdScreen, creatingScreen } from './screens.ts'
import { english } from './texts.en.ts'

export async function takeCreationStep(
  { session, analytics }: Pick<FlowPorts, 'session' | 'analytics'>,
  create: CreateUserWallet,
  { card, login, startOver }: AfterLogin,
): Promise<StepOutcome> {
  card.restart(screen(creatingScreen, { status: 'creating' }, { retry: () => {} }))
  try {
    await create({ readyWaitMs: walletLimits.frameReadyMs })
  } catch (error) {
    if (!hasWalletMeanwhile()) return takeBack(error)
  }
  const title = login.isNewUser ? 'Welcome' : 'All set!'
  card.replace(screen(createdScreen, { title }, {}))
  return { type: 'done', holdMs: walletLimits.createdScreenCloseMs }

  /** Another tab may have been quicker. */
  function hasWalletMeanwhile() {
    const state = session.state()
    return state.status === 'authenticated' && embeddedWallet(state.user) !== undefined
  }

  async function takeBack(error: unknown): Promise<StepOutcome> {
    const problem = toLatchkeyError(error, 'unknown_embedded_wallet_error', english.problems.failed)
    analytics('embedded_wallet_creation_failure_logout', failurePayload(error))
    await session.logout()
    card.update(screen(creatingScreen, { status: 'failed', problem: problem.message }, { retry: startOver }))
    return { type: 'undone' }
  }
}
