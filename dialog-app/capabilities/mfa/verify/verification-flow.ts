/**
 * This flow asks its user for a second factor, for a call that waits for one. Each answer makes the call: what is wrong
 * with it is said here, and the flow ends with what the call answers. `verification-state.ts` decides what comes next;
 * this does it.
 */
import { type ErrorCode, type MfaMethodType, product, toLatchkeyError } from '@latchkey/protocol'
import { mfaRoutes } from '@latchkey/protocol/api'
import { done, type Flow, failed } from '../../../flow/flow.ts'
import { createMachine, partOf } from '../../../flow/machine.ts'
import { screen } from '../../../flow/screen.ts'
import type { Verification } from '../../../wallet/verification.ts'
import { createPasscode } from '../passcode/passcode.ts'
import type { MfaPorts } from '../ports.ts'
import { canceled, type MfaProblem, problemOf } from '../problem.ts'
import { verifyChoiceScreen, verifyCodeScreen, verifyPasskeyScreen } from '../screens.ts'
import { createAttempts, type Perform } from './attempts.ts'
import type { VerifyPasskeyState } from './passkey-screen.tsx'
import {
  type NoPasskey,
  unverified,
  type VerificationEffect,
  type VerificationEvent,
  type VerificationPhase,
  type VerificationState,
  verificationStep,
} from './verification-state.ts'

const noPasskey: { [code in ErrorCode]?: NoPasskey } = {
  passkey_not_allowed: 'notGiven',
  unknown_auth_error: 'noPasskey',
}

type Asked = Pick<MfaPorts, 'api' | 'clock' | 'store' | 'settings' | 'authenticator'>
type Effect<Type extends VerificationEffect['type']> = Extract<VerificationEffect, { type: Type }>

export const verificationFlow =
  <Answer>(ports: Asked, methods: readonly MfaMethodType[], perform: Perform<Answer>): Flow<Answer> =>
  (handle) => {
    const { api, clock, authenticator } = ports
    const attempts = createAttempts(clock, perform)
    const lastUsed = lastUsedOf(ports)
    const canChoose = methods.length > 1

    const machine = createMachine<VerificationState, VerificationEvent, VerificationEffect>({
      initial: unverified,
      step: verificationStep,
      draw({ phase }) {
        const view = viewOf(phase)
        if (view) handle.update(view)
      },
      ...partOf(handle),
      effects: {
        'open code': openCode,
        'send code': ({ entry }) => entry.send(),
        'block code': ({ entry, problem }) => entry.block(problem),
        'ask for passkey': askForPasskey,
        async 'check passkey'({ asking, verification }) {
          try {
            await submit(verification)
            return undefined
          } catch (error) {
            const problem = verifyProblemOf(error)
            return { type: 'passkey refused', asking, problem, isOver: attempts.isOver() }
          }
        },
        'abandon passkey': ({ asking }) => asking.abort(),
        'show first': () => show(handle.go),
        'show next': () => show(handle.restart),
        'leave choice'() {
          if (handle.isAt(verifyChoiceScreen)) handle.back()
        },
        settle: ({ ending }) => handle.settle(ending),
        end: ({ ending }) => handle.end(ending),
      },
    })

    const out = { other: showChoice, notNow: () => handle.end() }

    function viewOf(phase: VerificationPhase) {
      switch (phase.at) {
        case 'beginning':
          return undefined
        case 'code': {
          const { method, passcode, sentTo, entry } = phase
          const state = { method, passcode, sentTo, canChoose }
          return screen(verifyCodeScreen, state, { ...entry.handlers, ...out })
        }
        case 'asking passkey':
          return passkeyView({ status: 'asking', canChoose })
        case 'checking passkey':
          return passkeyView({ status: 'checking', canChoose })
        case 'passkey failed':
          return passkeyView({ status: 'failed', problem: phase.problem, isOver: phase.isOver, canChoose })
        default:
          return phase satisfies never
      }
    }
    const passkeyView = (state: VerifyPasskeyState) =>
      screen(verifyPasskeyScreen, state, { ...out, again: () => machine.send({ type: 'ask again' }) })

    function show(move: typeof handle.go) {
      const view = viewOf(machine.state().phase)
      if (view) move(view)
    }

    function showChoice() {
      if (attempts.isOver()) return
      const choose = (method: MfaMethodType) =>
        methods.includes(method) && machine.send({ type: 'choose', method })
      handle.go(screen(verifyChoiceScreen, { methods }, { choose, notNow: out.notNow }))
    }

    async function submit(verification: Verification) {
      await attempts.submit(verification)
      lastUsed.remember(verification.mfaMethod)
    }

    function openCode({ method }: Effect<'open code'>) {
      async function send() {
        const { sentTo } = await api.call(mfaRoutes.sendMfaCode, { action: 'verify' }, handle)
        machine.send({ type: 'code sent', entry, sentTo })
      }
      const entry = createPasscode(
        handle,
        {
          check: (code) => submit({ mfaMethod: method, mfaCode: code }),
          problemOf: verifyProblemOf,
          isOver: attempts.isOver,
          ...(method === 'sms' && { send }),
        },
        (passcode) => machine.send({ type: 'passcode changed', entry, passcode }),
      )
      machine.send({ type: 'code opened', method, entry, passcode: entry.shown() })
    }

    async function askForPasskey({ asking }: Effect<'ask for passkey'>): Promise<VerificationEvent> {
      const signal = AbortSignal.any([asking.signal, handle.signal])
      try {
        const [{ relyingParty, options }, device] = await Promise.all([
          api.call(mfaRoutes.beginPasskeyVerification, {}, { signal }),
          authenticator(handle),
        ])
        const mfaCode = await device.get(options, signal)
        const verification: Verification = { mfaMethod: 'passkey', mfaCode, relyingParty }
        return { type: 'passkey answered', asking, verification }
      } catch (error) {
        const { code } = toLatchkeyError(error, 'unknown_auth_error', 'The passkey gave no answer')
        return { type: 'no passkey', asking, problem: noPasskey[code] ?? 'other' }
      }
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
          (cause: unknown) => {
            const error = toLatchkeyError(cause, 'unknown_mfa_error', 'The verification failed')
            machine.send({ type: 'over', error })
          },
        )
        const method = lastUsed.first(methods)
        if (method) machine.send({ type: 'choose', method })
        else handle.end()
      },
      onClose: leave,
      onBack: leave,
    }
  }

const verifyProblemOf = (error: unknown): MfaProblem =>
  problemOf(toLatchkeyError(error, 'unknown_mfa_error', 'The verification failed'))

/** The method that verified last in this browser is asked for first, where the user has it still. */
function lastUsedOf({ store, settings }: Pick<Asked, 'store' | 'settings'>) {
  const storedName = () => product.storageName(settings().app.id, 'mfa-method')
  function read(): string | null {
    try {
      return store.read(storedName())
    } catch {
      return null
    }
  }
  return {
    /** Where none was used, it is the first that was added. */
    first(of: readonly MfaMethodType[]): MfaMethodType | undefined {
      const last = read()
      return of.find((method) => method === last) ?? of[0]
    },
    remember(method: MfaMethodType): void {
      try {
        store.write(storedName(), method)
      } catch {
        // A browser that keeps nothing begins with the first.
      }
    },
  }
}
