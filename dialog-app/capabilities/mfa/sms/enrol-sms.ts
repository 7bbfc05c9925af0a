/** A phone: it is sent a code, and whoever has it types that. */
import { LatchkeyError } from '@latchkey/protocol'
import { mfaRoutes } from '@latchkey/protocol/api'
import { screen } from '../../../flow/screen.ts'
import type { PhoneValue } from '../../../ui/fields/phone/phone-value.ts'
import type { Enrol } from '../enrol/enrolling.ts'
import { type EnrolProblem, enrolProblemOf } from '../enrol/problem.ts'
import { createPasscode, type PasscodeEntry } from '../passcode.ts'
import { enrolCodeScreen, phoneScreen } from '../screens.ts'

export const enrolSms: Enrol = async ({ ports: { api, settings }, card, change, added }) => {
  let status: 'ready' | 'sending' = 'ready'
  let given: PhoneValue | undefined
  let problem: EnrolProblem | undefined
  /** One code at a time: what belongs to an earlier one comes too late. */
  let present: PasscodeEntry | undefined

  const phoneView = () =>
    screen(
      phoneScreen,
      { status, given, country: settings().config.intl?.defaultCountry, problem },
      { submit: (value) => void submit(value) },
    )

  async function submit(value: PhoneValue) {
    if (status !== 'ready' || !value.isValid) return
    given = value
    status = 'sending'
    problem = undefined
    card.update(phoneView())
    try {
      await change.beginSms(value.qualifiedPhoneNumber)
    } catch (error) {
      problem = smsProblemOf(error)
    }
    status = 'ready'
    card.update(phoneView())
    if (!problem && card.isAt(phoneScreen)) openCode(value.qualifiedPhoneNumber)
  }

  function openCode(phoneNumber: string) {
    const passcode: PasscodeEntry = createPasscode(card, {
      changed: () => present === passcode && card.update(view()),
      check: async (code) => added(await change.submit({ method: 'sms', code, phoneNumber })),
      problemOf: enrolProblemOf,
      isOver: () => false,
      send: () => api.call(mfaRoutes.sendMfaCode, { action: 'enroll', phoneNumber }, card),
    })
    const view = () =>
      screen(enrolCodeScreen, { method: 'sms', phoneNumber, passcode: passcode.state() }, passcode.handlers)
    present = passcode
    card.go(view())
    passcode.lockResend()
  }

  card.go(phoneView())
}

/** Another tab may have linked the number meanwhile. */
const smsProblemOf = (error: unknown): EnrolProblem =>
  error instanceof LatchkeyError && error.code === 'not_supported' ? 'smsIsLogin' : enrolProblemOf(error)
