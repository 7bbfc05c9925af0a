import type { PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { markUrl } from '../../ui/mark-url.ts'
import { farcaster } from '../../ui/marks/farcaster.ts'
import { Mark } from '../../ui/marks/mark.tsx'
import { Qr } from '../../ui/qr.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Success } from '../../ui/success.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import styles from './awaiting-screen.module.css'
import type { FarcasterFailure } from './failures.ts'
import { texts } from './texts.ts'

export type AwaitingState =
  /** There is nothing to approve yet. */
  | { readonly status: 'opening' }
  | { readonly status: 'waiting'; readonly connectUri: string; readonly isPhone: boolean }
  /** The phone has signed, and that is being used. */
  | { readonly status: 'approved' }
  | { readonly status: 'success' }
  | ({ readonly status: 'failed' } & FarcasterFailure)
export type AwaitingEvents = { readonly retry: readonly []; readonly leave: readonly [] }

/** A camera reads it from an arm's length. */
const codeSizePx = 208
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
      if (state.isPhone) {
        return (
          <Stack>
            <Waiting title={follow.title} detail={follow.detail}>
              {face}
            </Waiting>
            <ButtonLink href={state.connectUri}>{follow.link}</ButtonLink>
          </Stack>
        )
      }
      return (
        <Stack>
          <Heading>
            <Title>{scan.title}</Title>
            <Lead>{scan.detail}</Lead>
          </Heading>
          <div className={styles.code}>
            <Qr value={state.connectUri} label={scan.label} sizePx={codeSizePx} logoUrl={logoUrl} />
          </div>
        </Stack>
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
