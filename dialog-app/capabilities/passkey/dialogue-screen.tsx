/** Prompts for a passkey, and logs in with it. */
import { type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { passkeyRoutes, type RouteOutput } from '@latchkey/protocol/api'
import { useEffect, useEffectEvent, useState } from 'react'
import * as v from 'valibot'
import { useDialog } from '../../app/context.ts'
import { useContentChange, useHeader, useShownState } from '../../app/screen-options.ts'
import { rowFor } from '../../contract/error-table.ts'
import type { LoggedIn, MethodInProgress } from '../../contract/login.ts'
import type { Refusals } from '../../contract/refusals.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import type { Authenticator } from '../../webauthn/authenticator.ts'
import type { Challenges } from '../../webauthn/challenges.ts'
import { passkey } from '../../webauthn/passkey-mark.ts'
import type { OnUnknown } from './passkey.ts'
import { type PasskeyProblem, problems } from './problem.ts'
import { texts } from './texts.arb'

export type Challenge = RouteOutput<typeof passkeyRoutes.beginPasskeyLogin>
/** The server has no passkey with this id, in any app. */
const unknownPasskey = v.object({
  code: v.literal('invalid_credentials'),
  details: v.object({ reason: v.literal('unknown') }),
})

type DialogueState = { status: 'loading' | 'success' } | { status: 'error'; problem: PasskeyProblem }

export type DialogueProps = {
  progress: MethodInProgress
  /** Undefined if the user went back from the captcha. */
  challenges: Challenges<Challenge | undefined>
  authenticator: Authenticator
  refusals: Refusals
  onUnknown: OnUnknown
}

export function DialogueScreen({ progress, challenges, authenticator, refusals, onUnknown }: DialogueProps) {
  const { handle, services, isCurrent } = useDialog()
  const callOptions = { signal: handle.signal }
  const [state, show] = useState<DialogueState>({ status: 'loading' })
  useHeader({ back: state.status !== 'success', close: true })
  const drawnState = useShownState(state, state.status === 'loading')
  useContentChange(drawnState.status)

  async function run() {
    show({ status: 'loading' })
    const challenge = await challenges.present().catch(refuseStart)
    if (!isCurrent()) return
    if (!challenge) {
      handle.back()
      return
    }
    try {
      const login = await logIn(challenge)
      if (!login) return
      show({ status: 'success' })
      progress.complete(login)
    } catch (error) {
      if (isCurrent()) fail(toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong'))
    }
  }

  function refuseStart(error: unknown) {
    if (!isCurrent()) return
    handle.back()
    progress.refuse(error)
  }

  /** Returns undefined if the user left the screen during the prompt. */
  async function logIn({ relyingParty, options }: Challenge): Promise<LoggedIn | undefined> {
    const assertion = await authenticator.get(options, handle.signal)
    if (!isCurrent()) return undefined
    challenges.spend()
    const body = { relyingParty, challenge: options.challenge, authenticatorResponse: assertion }
    const prove = progress.prove(
      {
        logIn: (vault, proofAsker) =>
          services.session.logIn(
            passkeyRoutes.loginWithPasskey,
            { ...body, ...(vault && { vault }) },
            proofAsker,
          ),
      },
      callOptions,
    )
    const proved = await prove.catch((error) => {
      if (v.is(unknownPasskey, error)) onUnknown({ relyingParty, credentialId: assertion.id })
      throw error
    })
    const loginAccount = proved.user.linkedAccounts.find(
      (account) => account.type === 'passkey' && account.credentialId === assertion.id,
    )
    return { ...proved, loginMethod: 'passkey', loginAccount: loginAccount ?? null }
  }

  function fail(error: LatchkeyError) {
    show({ status: 'error', problem: rowFor(problems, error.code) })
    if (refusals.hasOwnScreen(error.code)) progress.refuse(error)
  }

  const begin = useEffectEvent(() => void run())
  useEffect(begin, [])

  return <DialogueView state={drawnState} onRetry={() => state.status === 'error' && void run()} />
}

export type DialogueViewProps = { state: DialogueState; onRetry: () => void }

export function DialogueView({ state, onRetry }: DialogueViewProps) {
  const { waiting, success, error, problems } = useTexts(texts)
  switch (state.status) {
    case 'loading':
      return (
        <Waiting title={waiting.title} detail={waiting.detail}>
          <Mark drawing={passkey} />
        </Waiting>
      )
    case 'success':
      return <Success title={success.title} detail={success.detail} />
    case 'error': {
      const { problem } = state
      // A user at the limit has an account and passkeys.
      const detail = problem === 'tooMany' ? problems.tooMany : `${problems[problem]} ${error.firstOne}`
      return (
        <Failure
          title={error.title}
          detail={detail}
          button={error.retry}
          isOwnChoice={problem === 'notAllowed'}
          onPress={onRetry}
        />
      )
    }
    default:
      return state satisfies never
  }
}
