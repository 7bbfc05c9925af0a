/** Methods of verification: the user looks at them, adds some, and removes some. Ends with the user as they are then. */
import { LatchkeyError, type MfaMethodType, mfaMethodTypes, type UserRecord } from '@latchkey/protocol'
import { done, type Flow } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { mustBeAuthenticated } from '../../host/require-user.ts'
import type { Settings } from '../../host/settings.ts'
import type { Enrol } from './enrol/enrolling.ts'
import type { OfferedMethod } from './enrol/enrolment-screen.tsx'
import { type EnrolProblem, enrolProblemOf } from './enrol/problem.ts'
import { openRemoval } from './enrol/removal.ts'
import { createMethodChange, type MethodChange } from './method-change.ts'
import { enrolPasskeys } from './passkey/enrol-passkeys.ts'
import type { MfaPorts } from './ports.ts'
import { addedScreen, enrolmentScreen } from './screens.ts'
import { enrolSms } from './sms/enrol-sms.ts'
import { enrolTotp } from './totp/enrol-totp.ts'

const enrolments: { readonly [method in MfaMethodType]: Enrol } = {
  totp: enrolTotp,
  sms: enrolSms,
  passkey: enrolPasskeys,
}

/** Where it begins: at the intro, or with one method. */
export type Beginning =
  | { readonly at: 'intro' }
  | { readonly at: 'enrolment' | 'removal'; readonly method: MfaMethodType }

export const enrolmentFlow =
  (ports: MfaPorts, beginning: Beginning = { at: 'intro' }): Flow<UserRecord> =>
  (handle) => {
    const { session, settings } = ports
    /** Of what is being added or removed; another one has an operation of its own. */
    let change: MethodChange | undefined
    let opening: MfaMethodType | undefined
    let problem: EnrolProblem | undefined

    function user(): UserRecord {
      const state = session.state()
      if (state.status !== 'authenticated') throw mustBeAuthenticated()
      return state.user
    }
    const offered = () => offeredMethods(settings(), user())
    const leave = () => handle.end(done(user()))

    const choiceView = () =>
      screen(
        enrolmentScreen,
        {
          step: 'choice',
          methods: offered(),
          isVerified: user().mfaMethods.length > 0,
          opening,
          problem,
        },
        { go: () => {}, leave, choose: (method) => void choose(method), remove },
      )
    const introView = () =>
      screen(
        enrolmentScreen,
        { step: 'intro' },
        { go: () => handle.go(choiceView()), leave, choose: () => {}, remove: () => {} },
      )

    function beginChange(): MethodChange {
      change?.end()
      change = createMethodChange(ports, handle)
      return change
    }

    /** Its first screen comes when it has what that shows; meanwhile the choice says so. */
    async function choose(method: MfaMethodType) {
      const isOpen = offered().some((each) => each.method === method && isFree(each.status))
      if (opening !== undefined || !isOpen) return
      opening = method
      problem = undefined
      handle.update(choiceView())
      const mine = beginChange()
      try {
        await enrolments[method]({
          ports,
          card: handle,
          change: mine,
          added: (changed) => added(method, changed),
        })
      } catch (error) {
        problem = enrolProblemOf(error)
      }
      opening = undefined
      // Also where the way back leads to it.
      handle.update(choiceView())
    }

    function added(method: MfaMethodType, changed: UserRecord) {
      session.replaceUser(changed)
      change?.end()
      const hasMore = offered().some(({ status }) => isFree(status))
      handle.restart(
        screen(
          addedScreen,
          { method, hasMore },
          { done: leave, another: () => handle.restart(choiceView()) },
        ),
      )
    }

    function remove(method: MfaMethodType) {
      if (opening !== undefined || !user().mfaMethods.some(({ type }) => type === method)) return
      problem = undefined
      openRemoval({
        ports,
        user: user(),
        card: handle,
        change: beginChange(),
        method,
        isLast: user().mfaMethods.length === 1,
        removed(changed) {
          session.replaceUser(changed)
          change?.end()
          handle.restart(choiceView())
        },
      })
    }

    return {
      kind: 'mfa_enrollment',
      run() {
        const now = offered()
        if (now.length === 0) throw notSupported('This app has no multi-factor verification')
        if (beginning.at === 'intro') return handle.go(introView())
        const { at, method } = beginning
        const status = now.find((each) => each.method === method)?.status
        const begin = at === 'enrolment' ? choose : remove
        const fits = at === 'enrolment' ? status !== undefined && isFree(status) : status === 'added'
        if (!fits) throw notSupported(`The method ${method} can not be changed like this`)
        handle.go(choiceView())
        void begin(method)
      },
      onClose: () => done(user()),
      onBack: () => done(user()),
    }
  }

const notSupported = (message: string) => new LatchkeyError('not_supported', message)

const isFree = (status: ReturnType<typeof offeredMethods>[number]['status']) =>
  status === 'offered' || status === 'recommended'

/** The host may offer fewer than the app has, never others. */
const isOffered = ({ app, config }: Settings, method: MfaMethodType): boolean =>
  app.mfaMethods.includes(method) && (config.mfa?.methods?.includes(method) ?? true)

/** Those that were added stay to be removed, whatever is offered now. */
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
