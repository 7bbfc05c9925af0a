/** Takes the code that proves that the user has the new method. */
import type { UserRecord } from '@latchkey/protocol'
import { mfaRoutes } from '@latchkey/protocol/api'
import { useDialog } from '../../../app/context.ts'
import { useHeader, useLeaveWords } from '../../../app/screen-options.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Heading, Stack, StepCount } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { PasscodeField } from '../passcode/passcode-field.tsx'
import { type PasscodeEntry, usePasscode } from '../passcode/use-passcode.ts'
import { enrolProblemOf } from '../problem.ts'
import { texts } from '../texts.arb'
import { type EnrolmentProps, stepCount } from './enrolment.ts'

type Props = EnrolmentProps<{
  /** The message with the code went to this number. Undefined for an authenticator app. */
  phoneNumber?: string
}>

export function EnrolCodeScreen({ enrolment, phoneNumber, screen }: Props) {
  const { handle, screens, services } = useDialog()
  const entry = usePasscode({
    async check(code) {
      const proof =
        phoneNumber === undefined
          ? ({ method: 'totp', code } as const)
          : ({ method: 'sms', code, phoneNumber } as const)
      void complete(await enrolment.change.submit(proof, handle))
    },
    toProblem: enrolProblemOf,
    send:
      phoneNumber === undefined
        ? undefined
        : () => services.api.call(mfaRoutes.sendMfaCode, { action: 'enroll', phoneNumber }, handle),
    isSent: phoneNumber !== undefined,
  })

  async function complete(user: UserRecord) {
    await enrolment.complete(user, screens)
    screen.resolve('added')
  }

  const isChecking = entry.passcode.status === 'checking'
  useHeader({ back: !isChecking, close: !isChecking })
  useLeaveWords(useTexts(texts).leave)
  return <EnrolCodeView phoneNumber={phoneNumber} entry={entry} />
}

export type EnrolCodeViewProps = { phoneNumber: string | undefined; entry: PasscodeEntry }

export function EnrolCodeView({ phoneNumber, entry }: EnrolCodeViewProps) {
  const { enrolCode, steps } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <StepCount>{steps({ at: 2, of: stepCount })}</StepCount>
        <Title>{enrolCode.title}</Title>
        <Lead>
          {phoneNumber === undefined ? enrolCode.totp : enrolCode.sms}{' '}
          {phoneNumber !== undefined && <bdi dir="ltr">{phoneNumber}</bdi>}
        </Lead>
      </Heading>
      <PasscodeField {...entry} />
    </Stack>
  )
}
