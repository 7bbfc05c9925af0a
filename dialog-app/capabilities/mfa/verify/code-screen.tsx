/** Takes a code of an authenticator app or of a message. */
import type { MfaMethodType } from '@latchkey/protocol'
import { mfaRoutes } from '@latchkey/protocol/api'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDialog } from '../../../app/context.ts'
import type { ScreenProps } from '../../../app/screen.ts'
import { useHeader } from '../../../app/screen-options.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { PasscodeField } from '../passcode/passcode-field.tsx'
import type { Passcode } from '../passcode/passcode-reducer.ts'
import { type PasscodeEntry, usePasscode } from '../passcode/use-passcode.ts'
import { verifyProblemOf } from '../problem.ts'
import { verifyChoiceScreen } from '../screens.ts'
import { texts } from '../texts.arb'
import { useLimit } from './use-limit.ts'
import type { PendingVerification } from './verification.ts'
import { WaysOut, type WaysOutProps } from './ways-out.tsx'

/** Resolves with the method that the user chooses instead. */
type Props = ScreenProps<MfaMethodType, { verification: PendingVerification; method: 'totp' | 'sms' }>

export function VerifyCodeScreen({ verification, method, screen }: Props) {
  const { handle, screens, services } = useDialog()
  const [sentTo, setSentTo] = useState<string>()
  const entry = usePasscode({
    check: (code) => verification.submit({ mfaMethod: method, mfaCode: code }),
    toProblem: verifyProblemOf,
    send: method === 'sms' ? sendCode : undefined,
  })
  const { status } = entry.passcode
  // The verified call runs with the code. It has a deadline.
  const isRunning = status === 'checking' || status === 'done'
  useHeader({ back: !isRunning, close: !isRunning })
  useLimit(verification, entry.block)

  async function sendCode() {
    const { sentTo: number } = await services.api.call(mfaRoutes.sendMfaCode, { action: 'verify' }, handle)
    setSentTo(number)
  }
  const begin = useEffectEvent(entry.onResend)
  useEffect(begin, [])

  async function choose() {
    const other = await screens.open(verifyChoiceScreen, { verification, onNotNow: screen.leave })
    if (other) screen.resolve(other)
  }

  return (
    <VerifyCodeView
      method={method}
      entry={entry}
      sentTo={sentTo}
      canChoose={verification.methods.length > 1}
      isOver={status === 'blocked'}
      onOther={() => void choose()}
      onNotNow={screen.leave}
    />
  )
}

export type VerifyCodeViewProps = WaysOutProps & {
  method: 'totp' | 'sms'
  entry: PasscodeEntry
  /** The masked number of the last message. */
  sentTo: string | undefined
}

export function VerifyCodeView({ method, entry, sentTo, ...waysOut }: VerifyCodeViewProps) {
  const { verify } = useTexts(texts)
  const { passcode } = entry
  return (
    <Stack>
      <Heading>
        <Title>{verify.code.title}</Title>
        <Lead>
          {verify.code[method === 'totp' ? 'totp' : getMessageStatus(passcode)]}{' '}
          {passcode.isSent && sentTo !== undefined && <bdi dir="ltr">{sentTo}</bdi>}
        </Lead>
      </Heading>
      <PasscodeField {...entry} />
      <WaysOut {...waysOut} />
    </Stack>
  )
}

function getMessageStatus({ isSent, resend }: Passcode) {
  if (isSent) return 'sms'
  return resend === 'sending' ? 'sending' : 'unsent'
}
