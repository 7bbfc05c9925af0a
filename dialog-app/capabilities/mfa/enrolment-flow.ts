/**
 * Methods of verification: the user looks at them, adds some, and removes some. The flow ends with the user as they are
 * then. `enrolment-state.ts` decides what comes next; this does it.
 */
import { LatchkeyError, type MfaMethodType, mfaMethodTypes, type UserRecord } from '@latchkey/protocol'
import { done, type Flow } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { screen } from '../../flow/screen.ts'
import { mustBeAuthenticated } from '../../host/require-user.ts'
import type { Settings } from '../../host/settings.ts'
import type { OfferedMethod, EnrolmentState as ShownEnrolment } from './enrol/enrolment-screen.tsx'
import { openRemoval } from './enrol/removal.ts'
import {
  type EnrolmentEffect,
  type EnrolmentEvent,
  type EnrolmentState,
  enrolmentStep,
  isFree,
  unchosen,
} from './enrolment-state.ts'
import { createMethodChange, type Enrol, type MethodChange } from './method-change.ts'
import { enrolPasskeys } from './passkey/enrol-passkeys.ts'
import type { MfaPorts } from './ports.ts'
import { addedScreen, enrolmentScreen } from './screens.ts'
import { enrolSms } from './sms/enrol-sms.ts'
import { enrolTotp } from './totp/enrol-totp.ts'

const enrolments: { [method in MfaMethodType]: Enrol } = {
  totp: enrolTotp,
  sms: enrolSms,
  passkey: enrolPasskeys,
}

/** The flow begins at the intro, which is for a user who has no method yet, or with one method. */
export type Beginning = { at: 'intro' } | { at: 'enrolment' | 'removal'; method: MfaMethodType }

export const enrolmentFlow =
  (ports: MfaPorts, beginning: Beginning = { at: 'intro' }): Flow<UserRecord> =>
  (handle) => {
    const { session, settings } = ports

    const machine = createMachine<EnrolmentState, EnrolmentEvent, EnrolmentEffect>({
      initial: unchosen,
      step: enrolmentStep,
      // The choice shows what has changed also where it is one step back.
      draw: () => handle.update(choiceView()),
      ...partOf(handle),
      effects: {
        async enrol({ method }) {
          function added(user: UserRecord) {
            session.replaceUser(user)
            machine.send({ type: 'added', method })
          }
          try {
            await enrolments[method]({ ports, card: handle, change: beginChange(), added })
            return { type: 'opened' }
          } catch (cause) {
            return { type: 'not opened', cause }
          }
        },
        'open removal': ({ method }) =>
          openRemoval({
            ports,
            user: user(),
            card: handle,
            change: beginChange(),
            method,
            isLast: user().mfaMethods.length === 1,
            removed(changed) {
              session.replaceUser(changed)
              machine.send({ type: 'removed' })
            },
          }),
        'end change': ({ change }) => change.end(),
        'show added': ({ method }) =>
          handle.restart(
            screen(
              addedScreen,
              { method, hasMore: offered().some(isFree) },
              { done: leave, another: showChoice },
            ),
          ),
        'show choice': showChoice,
      },
    })

    function user(): UserRecord {
      const state = session.state()
      if (state.status !== 'authenticated') throw mustBeAuthenticated()
      return state.user
    }
    const offered = () => offeredMethods(settings(), user())
    const leave = () => handle.end(done(user()))

    function beginChange(): MethodChange {
      const change = createMethodChange(ports, handle)
      machine.send({ type: 'change begun', change })
      return change
    }

    const choose = (type: 'enrol' | 'remove') => (wanted: MfaMethodType) => {
      const found = offered().find(({ method }) => method === wanted)
      if (found) machine.send({ type, offered: found })
    }

    function choiceView() {
      const { phase, problem } = machine.state()
      const shown: ShownEnrolment = {
        step: 'choice',
        methods: offered(),
        isVerified: user().mfaMethods.length > 0,
        opening: phase.at === 'opening' ? phase.method : undefined,
        problem,
      }
      return screen(enrolmentScreen, shown, {
        go: () => {},
        leave,
        choose: choose('enrol'),
        remove: choose('remove'),
      })
    }
    function showChoice() {
      handle.restart(choiceView())
    }
    const introView = () =>
      screen(
        enrolmentScreen,
        { step: 'intro' },
        { go: () => handle.go(choiceView()), leave, choose: () => {}, remove: () => {} },
      )

    return {
      kind: 'mfa_enrollment',
      run() {
        const now = offered()
        if (now.length === 0) throw notSupported('This app has no multi-factor verification')
        if (beginning.at === 'intro') {
          // Whoever has a method knows what it is for.
          return handle.go(user().mfaMethods.length > 0 ? choiceView() : introView())
        }
        const { at, method } = beginning
        const wanted = now.find((each) => each.method === method)
        const fits = wanted && (at === 'enrolment' ? isFree(wanted) : wanted.status === 'added')
        if (!fits) throw notSupported(`The method ${method} can not be changed like this`)
        handle.go(choiceView())
        machine.send({ type: at === 'enrolment' ? 'enrol' : 'remove', offered: wanted })
      },
      onClose: () => done(user()),
      onBack: () => done(user()),
    }
  }

const notSupported = (message: string) => new LatchkeyError('not_supported', message)

/** A host may offer fewer methods than the app has, never others. */
const isOffered = ({ app, config }: Settings, method: MfaMethodType): boolean =>
  app.mfaMethods.includes(method) && (config.mfa?.methods?.includes(method) ?? true)

/** Methods that were added stay to be removed, whatever is offered now. */
const offeredMethods = (settings: Settings, user: UserRecord): readonly OfferedMethod[] =>
  mfaMethodTypes
    .map((method) => ({ method, isAdded: user.mfaMethods.some(({ type }) => type === method) }))
    .filter(({ method, isAdded }) => isAdded || isOffered(settings, method))
    .map(({ method, isAdded }) => ({ method, status: isAdded ? 'added' : statusOf(method, user) }))

function statusOf(method: MfaMethodType, user: UserRecord): OfferedMethod['status'] {
  if (method === 'totp') return 'recommended'
  return method === 'sms' && logsInBySms(user) ? 'disabled' : 'offered'
}

/** Whoever has the phone would have both ways in. */
const logsInBySms = ({ linkedAccounts }: UserRecord) => linkedAccounts.some(({ type }) => type === 'phone')
