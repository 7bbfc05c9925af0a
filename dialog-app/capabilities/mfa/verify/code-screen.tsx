import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { PasscodeField } from '../passcode/passcode-field.tsx'
import type { Passcode, PasscodeEvents } from '../passcode/passcode-state.ts'
import { texts } from '../texts.arb'
import { type WayOutEvents, WaysOut } from './ways-out.tsx'

export type VerifyCodeState = {
  method: 'totp' | 'sms'
  passcode: Passcode
  /** The last code went to this number, which is masked. */
  sentTo?: string | undefined
  canChoose: boolean
}
export type VerifyCodeEvents = PasscodeEvents & WayOutEvents

export function VerifyCodeScreen({ state, send }: PartProps<VerifyCodeState, VerifyCodeEvents>) {
  const { verify } = useTexts(texts)
  const { method, passcode, sentTo, canChoose } = state
  return (
    <Stack>
      <Heading>
        <Title>{verify.code.title}</Title>
        <Lead>
          {verify.code[method === 'totp' ? 'totp' : messageOf(passcode)]}{' '}
          {passcode.isSent && sentTo !== undefined && <bdi dir="ltr">{sentTo}</bdi>}
        </Lead>
      </Heading>
      <PasscodeField
        passcode={passcode}
        onEdit={() => send('edit')}
        onSubmit={(code) => send('submit', code)}
        onResend={() => send('resend')}
      />
      <WaysOut canChoose={canChoose} isOver={passcode.status === 'blocked'} send={send} />
    </Stack>
  )
}

/** The words say how far the message is that brings the code. */
function messageOf({ isSent, resend }: Passcode) {
  if (isSent) return 'sms'
  return resend === 'sending' ? 'sending' : 'unsent'
}
