import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AwaitingPhone } from '../../phone-app/awaiting-phone.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { farcaster } from '../../ui/marks/brands/farcaster.ts'
import { Mark, markUrl } from '../../ui/marks/mark.tsx'
import type { SignerFailure } from './failures.ts'
import { texts } from './texts.arb'

export type SignerStep =
  /** There is nothing to approve yet. */
  | { status: 'opening' }
  | { status: 'waiting'; approvalUrl: string; isPhone: boolean }
  | { status: 'success' }
  | ({ status: 'failed' } & SignerFailure)
export type SignerScreenState = SignerStep & { appName: string }
export type SignerEvents = { retry: readonly []; leave: readonly [] }

const logoUrl = markUrl(farcaster)

export function SignerScreen({ state, send }: PartProps<SignerScreenState, SignerEvents>) {
  const { opening, scan, follow, success, failed, rejected, failures } = useTexts(texts)
  const { appName } = state
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
          uri={state.approvalUrl}
          isPhone={state.isPhone}
          scan={{ ...scan, title: scan.title({ app: appName }) }}
          follow={{ ...follow, title: follow.title({ app: appName }) }}
          logoUrl={logoUrl}
        >
          {face}
        </AwaitingPhone>
      )
    case 'success':
      return <Success title={success.title} detail={success.detail({ app: appName })} />
    case 'failed': {
      const said =
        state.text === 'rejected' ? rejected : { title: failed.title, detail: failures[state.text] }
      return (
        <Failure
          {...said}
          isOwnChoice={state.text === 'rejected'}
          button={state.isRetryable ? failed.retry : failed.back}
          onPress={() => send(state.isRetryable ? 'retry' : 'leave')}
        />
      )
    }
    default:
      return state satisfies never
  }
}
