/** Verifies with a passkey. The device asks the user by itself. */
import { type ErrorCode, type MfaMethodType, toLatchkeyError } from '@latchkey/protocol'
import { mfaRoutes } from '@latchkey/protocol/api'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDialog } from '../../../app/context.ts'
import type { ScreenProps } from '../../../app/screen.ts'
import { useHeader } from '../../../app/screen-options.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { StatusSeal } from '../../../ui/feedback/status-seal.tsx'
import { Banner } from '../../../ui/lazy/banner.tsx'
import { Mark } from '../../../ui/marks/mark.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import type { Verification } from '../../../wallet/verification.ts'
import { passkey } from '../../../webauthn/passkey-mark.ts'
import { type MfaProblem, verifyProblemOf } from '../problem.ts'
import { verifyChoiceScreen } from '../screens.ts'
import { texts } from '../texts.arb'
import { useLimit } from './use-limit.ts'
import type { PendingVerification } from './verification.ts'
import { WaysOut, type WaysOutProps } from './ways-out.tsx'

/** `notGiven`: the user dismissed the prompt of the device. `noPasskey`: the device failed for another reason. */
type NoPasskey = 'notGiven' | 'noPasskey'
export type PasskeyProblem = MfaProblem | NoPasskey

const noPasskeyCodes: { [code in ErrorCode]?: NoPasskey } = {
  passkey_not_allowed: 'notGiven',
  unknown_auth_error: 'noPasskey',
}

/** `asking`: the device shows its prompt. `checking`: the verified call runs. */
type PasskeyStatus = 'asking' | 'checking' | 'failed'

/** Resolves with the method that the user chooses instead. */
type Props = ScreenProps<MfaMethodType, { verification: PendingVerification }>

export function VerifyPasskeyScreen({ verification, screen }: Props) {
  const { handle, screens, services } = useDialog()
  const [status, setStatus] = useState<PasskeyStatus>('asking')
  const [problem, setProblem] = useState<PasskeyProblem>()
  const prompt = useRef<AbortController>(undefined)
  const isChecking = status === 'checking'
  useHeader({ back: !isChecking, close: !isChecking })
  useLimit(verification, (limit) => {
    prompt.current?.abort()
    fail(limit)
  })

  function fail(reason: PasskeyProblem) {
    setProblem(reason)
    setStatus('failed')
  }

  async function askDevice(signal: AbortSignal): Promise<Verification> {
    const [{ relyingParty, options }, device] = await Promise.all([
      services.api.call(mfaRoutes.beginPasskeyVerification, {}, { signal }),
      verification.ports.authenticator(handle),
    ])
    return { mfaMethod: 'passkey', mfaCode: await device.get(options, signal), relyingParty }
  }

  async function ask() {
    const current = new AbortController()
    prompt.current = current
    setStatus('asking')
    let answer: Verification
    try {
      answer = await askDevice(AbortSignal.any([current.signal, handle.signal]))
    } catch (error) {
      if (current.signal.aborted) return
      const { code } = toLatchkeyError(error, 'unknown_auth_error', 'The passkey gave no answer')
      return fail(noPasskeyCodes[code] ?? 'other')
    }
    // The user chose another method meanwhile.
    if (current.signal.aborted) return
    setStatus('checking')
    await verification.submit(answer).catch((error: unknown) => fail(verifyProblemOf(error)))
  }
  const begin = useEffectEvent(() => void ask())
  useEffect(begin, [])

  async function choose() {
    const other = await screens.open(verifyChoiceScreen, { verification, onNotNow: screen.leave })
    if (!other) return
    prompt.current?.abort()
    screen.resolve(other)
  }

  return (
    <VerifyPasskeyView
      status={status}
      problem={problem}
      canChoose={verification.methods.length > 1}
      isOver={status === 'failed' && verification.isOver()}
      onRetry={() => void ask()}
      onOther={() => void choose()}
      onNotNow={screen.leave}
    />
  )
}

export type VerifyPasskeyViewProps = WaysOutProps & {
  status: PasskeyStatus
  /** The problem of a failed attempt. */
  problem: PasskeyProblem | undefined
  onRetry: () => void
}

export function VerifyPasskeyView({ status, problem, onRetry, ...waysOut }: VerifyPasskeyViewProps) {
  const { verify, problems, noPasskey } = useTexts(texts)
  const hasFailed = status === 'failed'
  const isOwnChoice = hasFailed && problem === 'notGiven'
  return (
    <Stack>
      <StatusSeal status={!hasFailed ? 'waiting' : isOwnChoice ? 'stopped' : 'failed'}>
        <Mark drawing={passkey} size={32} />
      </StatusSeal>
      <Heading>
        <Title>{verify.passkey.title}</Title>
        {status === 'asking' && <Lead>{verify.passkey.detail}</Lead>}
      </Heading>
      {hasFailed && problem && (
        <Banner kind={isOwnChoice ? 'info' : 'danger'}>
          {{ ...problems, noPasskey, notGiven: noPasskey }[problem]}
        </Banner>
      )}
      {hasFailed && !waysOut.isOver && <Button onPress={onRetry}>{verify.passkey.again}</Button>}
      {status !== 'checking' && <WaysOut {...waysOut} />}
    </Stack>
  )
}
