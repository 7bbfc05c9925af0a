/** A phone is sent a code, and whoever has it types that. `enrol-sms-state.ts` decides what comes next; this does it. */
import { mfaRoutes } from '@latchkey/protocol/api'
import { createMachine, partOf } from '../../../flow/machine.ts'
import { screen } from '../../../flow/screen.ts'
import type { Enrol } from '../method-change.ts'
import { createPasscode, type PasscodeEntry } from '../passcode/passcode.ts'
import { enrolProblemOf } from '../problem.ts'
import { enrolCodeScreen, phoneScreen } from '../screens.ts'
import {
  type EnrolSmsEffect,
  type EnrolSmsEvent,
  type EnrolSmsState,
  enrolSmsStep,
  unsent,
} from './enrol-sms-state.ts'

export const enrolSms: Enrol = async ({ ports: { api, settings }, card, change, added }) => {
  const machine = createMachine<EnrolSmsState, EnrolSmsEvent, EnrolSmsEffect>({
    initial: unsent,
    step: enrolSmsStep,
    draw: (state) => card.update(phoneView(state)),
    ...partOf(card),
    effects: {
      async send({ phoneNumber }) {
        try {
          await change.beginSms(phoneNumber)
          return { type: 'sent' }
        } catch (cause) {
          return { type: 'not sent', cause }
        }
      },
      'open code'({ phoneNumber }) {
        // Whoever has gone back meanwhile is not taken away from there.
        if (card.isAt(phoneScreen)) openCode(phoneNumber)
      },
    },
  })

  const phoneView = ({ phase, given, problem }: EnrolSmsState) =>
    screen(
      phoneScreen,
      { status: phase.at, given, country: settings().config.intl?.defaultCountry, problem },
      { submit: (value) => machine.send({ type: 'submit', value }) },
    )

  function openCode(phoneNumber: string) {
    const entry: PasscodeEntry = createPasscode(
      card,
      {
        check: async (code) => added(await change.submit({ method: 'sms', code, phoneNumber })),
        problemOf: enrolProblemOf,
        isOver: () => false,
        send: () => api.call(mfaRoutes.sendMfaCode, { action: 'enroll', phoneNumber }, card),
      },
      () => machine.state().entry === entry && card.update(view()),
    )
    const view = () =>
      screen(enrolCodeScreen, { method: 'sms', phoneNumber, passcode: entry.shown() }, entry.handlers)
    entry.lockResend()
    card.go(view())
    machine.send({ type: 'code opened', entry })
  }

  card.go(phoneView(machine.state()))
}
