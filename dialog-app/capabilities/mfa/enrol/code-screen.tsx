import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { Passcode, PasscodeEvents } from '../passcode.ts'
import { PasscodeField } from '../passcode-field.tsx'
import { texts } from '../texts.arb'

export type EnrolCodeState = {
  readonly method: 'totp' | 'sms'
  /** Where it was sent. */
  readonly phoneNumber?: string
  readonly passcode: Passcode
}

export function EnrolCodeScreen({ state, send }: PartProps<EnrolCodeState, PasscodeEvents>) {
  const { enrolCode } = useTexts(texts)
  const { method, phoneNumber, passcode } = state
  return (
    <Stack>
      <Heading>
        <Title>{enrolCode.title}</Title>
        <Lead>
          {enrolCode[method]} {phoneNumber !== undefined && <bdi dir="ltr">{phoneNumber}</bdi>}
        </Lead>
      </Heading>
      <PasscodeField state={passcode} send={send} />
    </Stack>
  )
}
