/** One screen from the question to what came of it: the prompt of the device, and the wallet's use of what it gave. */
import type { CardHandle } from '../../../core/flow.ts'
import type { FlowPorts } from '../../../core/ports.ts'
import { screen } from '../../../core/screen.ts'
import type { OwnRecovery } from '../../../wallet/own-recovery.ts'
import { type PrfAuthenticator, prfAuthenticator } from '../../../webauthn/prf-authenticator.ts'
import { passkeyRecoveryScreen } from '../screens.ts'
import type { PasskeyState } from './passkey-screen.tsx'
import { type PasskeyProblem, problemOf } from './problem.ts'
import { askPasskey, makePasskey, type Prove } from './prove.ts'

export type PasskeyRun = {
  readonly purpose: PasskeyState['purpose']
  /** This browser's, but for tests. */
  readonly authenticator: PrfAuthenticator | undefined
  readonly show: CardHandle['go']
  /** Missing where nobody began it. */
  readonly cancel: (() => void) | undefined
  /** May fail; then it is asked again. */
  readonly use: (own: OwnRecovery) => Promise<void>
}

const provings: { readonly [purpose in PasskeyState['purpose']]: Prove } = {
  set: makePasskey,
  recover: askPasskey,
}

export function runPasskey(
  ports: Pick<FlowPorts, 'api' | 'clock'>,
  card: CardHandle,
  { purpose, authenticator = prfAuthenticator, ...run }: PasskeyRun,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const proving = provings[purpose](ports, authenticator, card.signal)
  let isShown = false
  let isUnderWay = false

  const isHere = () => card.isAt(passkeyRecoveryScreen) && !card.signal.aborted

  function show(step: PasskeyState['step']) {
    const state: PasskeyState = { purpose, canCancel: run.cancel !== undefined, step }
    const nothing = () => {}
    const view = screen(passkeyRecoveryScreen, state, {
      confirm: () => void confirm(),
      cancel: run.cancel ?? nothing,
      close: nothing,
    })
    if (isShown) card.update(view)
    else run.show(view)
    isShown = true
  }

  function ask(problem?: PasskeyProblem) {
    proving.prepare()
    show({ at: 'asking', isMade: proving.isMade(), ...(problem && { problem }) })
  }

  /** In the press. */
  async function confirm() {
    if (isUnderWay) return
    isUnderWay = true
    show({ at: 'prompt' })
    try {
      const own = await proving.prove()
      if (!isHere()) return
      show({ at: 'working' })
      await run.use(own)
    } catch (error) {
      if (isHere()) ask(problemOf(error))
      return
    } finally {
      isUnderWay = false
    }
    resolve()
  }

  ask()
  return promise
}
