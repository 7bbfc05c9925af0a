import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { StatusSeal } from '../../../ui/feedback/status-seal.tsx'
import { Mark } from '../../../ui/marks/mark.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { passkey } from '../../../webauthn/passkey-mark.ts'
import { texts } from '../texts.arb'
import type { PasskeyProblem } from './verification-state.ts'
import { type WayOutEvents, WaysOut } from './ways-out.tsx'

export type VerifyPasskeyState = {
  canChoose: boolean
} & (
  | {
      /** `asking`: the device shows its own prompt. `checking`: what it answered is under way. */
      status: 'asking' | 'checking'
    }
  /** `isOver`: no other answer is taken. */
  | { status: 'failed'; problem: PasskeyProblem; isOver: boolean }
)
export type VerifyPasskeyEvents = WayOutEvents & { again: readonly [] }

export function VerifyPasskeyScreen({ state, send }: PartProps<VerifyPasskeyState, VerifyPasskeyEvents>) {
  const { verify, problems, noPasskey } = useTexts(texts)
  const { status, canChoose } = state
  const isOver = status === 'failed' && state.isOver
  const isOwnChoice = status === 'failed' && state.problem === 'notGiven'
  return (
    <Stack>
      <StatusSeal status={status !== 'failed' ? 'waiting' : isOwnChoice ? 'stopped' : 'failed'}>
        <Mark drawing={passkey} size={32} />
      </StatusSeal>
      <Heading>
        <Title>{verify.passkey.title}</Title>
        {status === 'asking' && <Lead>{verify.passkey.detail}</Lead>}
      </Heading>
      {status === 'failed' && (
        <Banner kind={isOwnChoice ? 'info' : 'danger'}>
          {{ ...problems, noPasskey, notGiven: noPasskey }[state.problem]}
        </Banner>
      )}
      {status === 'failed' && !isOver && (
        <Button onPress={() => send('again')}>{verify.passkey.again}</Button>
      )}
      {status !== 'checking' && <WaysOut canChoose={canChoose} isOver={isOver} send={send} />}
    </Stack>
  )
}
