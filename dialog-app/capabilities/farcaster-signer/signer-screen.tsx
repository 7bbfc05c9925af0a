/** The steps of a signer's approval, which the user gives in their Farcaster app. */
import type { ScreenProps } from '../../app/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { AwaitingPhone } from '../../phone-app/awaiting-phone.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Success } from '../../ui/feedback/success.tsx'
import { Waiting } from '../../ui/feedback/waiting.tsx'
import { farcaster } from '../../ui/marks/brands/farcaster.ts'
import { Mark, markUrl } from '../../ui/marks/mark.tsx'
import type { SignerFailure } from './failures.ts'
import { texts } from './texts.arb'

const logoUrl = markUrl(farcaster)
const face = <Mark drawing={farcaster} size={32} />

/** Shown until there is a key to approve. */
export function Opening() {
  const { opening } = useTexts(texts)
  return (
    <Waiting title={opening.title} detail={opening.detail}>
      {face}
    </Waiting>
  )
}

export type SignerProps = { appName: string; approvalUrl: string; isPhone: boolean }

export function SignerScreen({ appName, approvalUrl, isPhone }: SignerProps) {
  const { scan, follow } = useTexts(texts)
  return (
    <AwaitingPhone
      uri={approvalUrl}
      isPhone={isPhone}
      scan={{ ...scan, title: scan.title({ app: appName }) }}
      follow={{ ...follow, title: follow.title({ app: appName }) }}
      logoUrl={logoUrl}
    >
      {face}
    </AwaitingPhone>
  )
}

export function Connected({ appName }: { appName: string }) {
  const { success } = useTexts(texts)
  return <Success title={success.title} detail={success.detail({ app: appName })} />
}

/** Resolves when the user tries again. */
export const FailedScreen = ({ failure, screen }: ScreenProps<undefined, { failure: SignerFailure }>) => (
  <Failed failure={failure} onRetry={() => screen.resolve(undefined)} onLeave={screen.leave} />
)

export type FailedProps = { failure: SignerFailure; onRetry: () => void; onLeave: () => void }

export function Failed({ failure: { text, isRetryable }, onRetry, onLeave }: FailedProps) {
  const { failed, rejected, failures } = useTexts(texts)
  const isRejected = text === 'rejected'
  return (
    <Failure
      {...(isRejected ? rejected : { title: failed.title, detail: failures[text] })}
      isOwnChoice={isRejected}
      button={isRetryable ? failed.retry : failed.back}
      onPress={isRetryable ? onRetry : onLeave}
    />
  )
}
