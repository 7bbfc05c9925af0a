import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AwaitingPhone } from '../../phone-app/awaiting-phone.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { farcaster } from '../../ui/marks/brands/farcaster.ts'
import { Mark, markUrl } from '../../ui/marks/mark.tsx'
import type { FarcasterFailure } from './failures.ts'
import { texts } from './texts.arb'

export type EntryState = {
  /** It stands alone, so it says what it does; among others its name does. */
  isAlone: boolean
}
export type EntryEvents = { choose: readonly [] }

export function FarcasterEntry({ state, send }: PartProps<EntryState, EntryEvents>) {
  const { entry } = useTexts(texts)
  return (
    <Group>
      <OptionRow
        icon={<Mark drawing={farcaster} />}
        label={state.isAlone ? entry.alone : entry.label}
        onPress={() => send('choose')}
      />
    </Group>
  )
}

export type AwaitingState =
  /** There is nothing to approve yet. */
  | { status: 'opening' }
  | { status: 'waiting'; connectUri: string; isPhone: boolean }
  /** The phone has signed, and that is being used. */
  | { status: 'approved' }
  | { status: 'success' }
  | ({ status: 'failed' } & FarcasterFailure)
export type AwaitingEvents = { retry: readonly []; leave: readonly [] }

const logoUrl = markUrl(farcaster)

export function AwaitingScreen({ state, send }: PartProps<AwaitingState, AwaitingEvents>) {
  const { opening, scan, follow, approved, success, failed, failures } = useTexts(texts)
  const face = <Mark drawing={farcaster} size={32} />
  switch (state.status) {
    case 'opening':
      return (
        <Waiting title={opening.title} detail={opening.detail}>
          {face}
        </Waiting>
      )
    case 'waiting':
      return (
        <AwaitingPhone
          uri={state.connectUri}
          isPhone={state.isPhone}
          scan={scan}
          follow={follow}
          logoUrl={logoUrl}
        >
          {face}
        </AwaitingPhone>
      )
    case 'approved':
      return (
        <Waiting title={approved.title} detail={approved.detail}>
          {face}
        </Waiting>
      )
    case 'success':
      return <Success title={success.title} detail={success.detail} />
    case 'failed':
      return (
        <Failure
          title={failed.title}
          detail={failures[state.text]}
          button={state.isRetryable ? failed.retry : failed.back}
          onPress={() => send(state.isRetryable ? 'retry' : 'leave')}
        />
      )
    default:
      return state satisfies never
  }
}
