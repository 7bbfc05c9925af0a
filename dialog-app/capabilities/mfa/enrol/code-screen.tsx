import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Heading, Stack, StepCount } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { stepCount } from '../method-change.ts'
import { PasscodeField } from '../passcode/passcode-field.tsx'
import type { Passcode, PasscodeEvents } from '../passcode/passcode-state.ts'
import { texts } from '../texts.arb'

export type EnrolCodeState = {
  method: 'totp' | 'sms'
  /** The code was sent to this number. */
  phoneNumber?: string
  passcode: Passcode
}

export function EnrolCodeScreen({ state, send }: PartProps<EnrolCodeState, PasscodeEvents>) {
  const { enrolCode, steps } = useTexts(texts)
  const { method, phoneNumber, passcode } = state
  return (
    <Stack>
      <Heading>
        <StepCount>{steps({ at: 2, of: stepCount })}</StepCount>
        <Title>{enrolCode.title}</Title>
        <Lead>
          {enrolCode[method]} {phoneNumber !== undefined && <bdi dir="ltr">{phoneNumber}</bdi>}
        </Lead>
      </Heading>
      <PasscodeField state={passcode} send={send} />
    </Stack>
  )
}
