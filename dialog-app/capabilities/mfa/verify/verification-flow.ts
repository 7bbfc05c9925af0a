/**
 * Asks the user for a second factor, for a call that waits for one. Each answer makes the call: what is wrong with it
 * is said here, and the flow ends with what the call answers.
 */
import { type LatchkeyError, type MfaMethodType, toLatchkeyError } from '@latchkey/protocol'
import { mfaRoutes } from '@latchkey/protocol/api'
import { done, type Flow, type FlowHandle, failed } from '../../../flow/flow.ts'
import { type ScreenToShow, screen } from '../../../flow/screen.ts'
import type { Verification } from '../../../wallet/verification.ts'
import { type Attempts, createAttempts, type Perform } from '../attempts.ts'
import { createLastUsed } from '../last-used.ts'
import { createPasscode } from '../passcode.ts'
import type { MfaPorts } from '../ports.ts'
import { canceled, type MfaProblem, problemOf } from '../problem.ts'
import { verifyChoiceScreen, verifyCodeScreen, verifyPasskeyScreen } from '../screens.ts'
import type { VerifyPasskeyState } from './passkey-screen.tsx'

type Asked = Pick<MfaPorts, 'api' | 'clock' | 'store' | 'settings' | 'authenticator'>

export const verificationFlow =
  <Answer>(ports: Asked, methods: readonly MfaMethodType[], perform: Perform<Answer>): Flow<Answer> =>
  (handle) => {
    const attempts = createAttempts(ports.clock, perform)
    const asking = createAsking(ports, handle, methods, attempts)

    function fail(error: LatchkeyError) {
      const problem = problemOf(error)
      if (problem !== 'maxAttempts' && problem !== 'timeLimit') return handle.end(failed(error))
      // Whoever waits is told now; what is wrong stays to be read.
      handle.settle(failed(error))
      asking.block(problem)
    }
    function leave() {
      attempts.cancel()
      return failed(canceled())
    }

    return {
      kind: 'verification',
      run() {
        handle.signal.addEventListener('abort', attempts.cancel)
        attempts.outcome.then(
          (answer) => handle.end(done(answer)),
          (error: unknown) => fail(toLatchkeyError(error, 'unknown_mfa_error', 'The verification failed')),
        )
        asking.begin()
      },
      onClose: leave,
      onBack: leave,
    }
  }

/** One method at a time: what belongs to an earlier one comes too late. */
type Asking = { readonly begin: () => void; readonly block: (problem: MfaProblem) => void }
type Way = {
  readonly open: (show: (view: ScreenToShow) => void) => void
  readonly block: (problem: MfaProblem) => void
  readonly leave: () => void
}

function createAsking<Answer>(
  { api, store, settings, authenticator }: Asked,
  handle: FlowHandle<Answer>,
  methods: readonly MfaMethodType[],
  attempts: Attempts<Answer>,
): Asking {
  const lastUsed = createLastUsed({ store, settings })
  const canChoose = methods.length > 1
  let present: Way | undefined

  const ways: { readonly [method in MfaMethodType]: () => Way } = {
    totp: () => codeWay('totp'),
    sms: () => codeWay('sms'),
    passkey: passkeyWay,
  }
  const out = { other: showChoice, notNow: () => handle.end() }

  function open(method: MfaMethodType) {
    const show = present ? handle.restart : handle.go
    present?.leave()
    present = ways[method]()
    present.open(show)
  }

  function showChoice() {
    if (attempts.isOver()) return
    handle.go(
      screen(
        verifyChoiceScreen,
        { methods },
        { choose: (method) => methods.includes(method) && open(method), notNow: out.notNow },
      ),
    )
  }

  async function submit(verification: Verification) {
    await attempts.submit(verification)
    lastUsed.remember(verification.mfaMethod)
  }

  function codeWay(method: 'totp' | 'sms'): Way {
    let sentTo: string | undefined
    async function send() {
      ;({ sentTo } = await api.call(mfaRoutes.sendMfaCode, { action: 'verify' }, handle))
    }
    const entry = createPasscode(handle, {
      changed: () => present === way && handle.update(view()),
      check: (code) => submit({ mfaMethod: method, mfaCode: code }),
      problemOf: verifyProblemOf,
      isOver: attempts.isOver,
      ...(method === 'sms' && { send }),
    })
    const view = () =>
      screen(
        verifyCodeScreen,
        { method, passcode: entry.state(), sentTo, canChoose },
        { ...entry.handlers, ...out },
      )
    const way: Way = {
      open(show) {
        show(view())
        entry.send()
      },
      block: entry.block,
      leave: () => {},
    }
    return way
  }

  function passkeyWay(): Way {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, handle.signal])
    const view = (state: PasskeyStep) =>
      screen(verifyPasskeyScreen, { ...state, canChoose }, { ...out, again: () => void ask() })
    function show(state: PasskeyStep) {
      if (present === way) handle.update(view(state))
    }

    async function ask() {
      show({ status: 'asking' })
      let verification: Verification
      try {
        verification = await answer()
      } catch (error) {
        const { code } = toLatchkeyError(error, 'unknown_auth_error', 'The passkey gave no answer')
        const isOfDevice = code === 'passkey_not_allowed' || code === 'unknown_auth_error'
        if (!attempts.isOver()) failWith(isOfDevice ? 'noPasskey' : 'other')
        return
      }
      if (present !== way || attempts.isOver()) return
      show({ status: 'checking' })
      try {
        await submit(verification)
      } catch (error) {
        failWith(verifyProblemOf(error))
      }
    }

    async function answer(): Promise<Verification> {
      const [{ relyingParty, options }, device] = await Promise.all([
        api.call(mfaRoutes.beginPasskeyVerification, {}, { signal }),
        authenticator(handle),
      ])
      return { mfaMethod: 'passkey', mfaCode: await device.get(options, signal), relyingParty }
    }

    const failWith = (problem: MfaProblem | 'noPasskey') =>
      show({ status: 'failed', problem, isOver: attempts.isOver() })

    const way: Way = {
      open(firstShow) {
        firstShow(view({ status: 'asking' }))
        void ask()
      },
      block(problem) {
        // Nobody takes an answer any more, so the device is not to ask for one.
        over.abort()
        failWith(problem)
      },
      leave: () => over.abort(),
    }
    return way
  }

  return {
    begin() {
      const first = lastUsed.first(methods)
      if (first) open(first)
      else handle.end()
    },
    block(problem) {
      // On the choice there is nothing that could say it.
      if (handle.isAt(verifyChoiceScreen)) handle.back()
      present?.block(problem)
    },
  }
}

/** What a passkey's screen says, without the ways that it offers. */
type PasskeyStep = VerifyPasskeyState extends infer State
  ? State extends unknown
    ? Omit<State, 'canChoose'>
    : never
  : never

const verifyProblemOf = (error: unknown): MfaProblem =>
  problemOf(toLatchkeyError(error, 'unknown_mfa_error', 'The verification failed'))
