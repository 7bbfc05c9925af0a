import type { ScreenProps } from '../../app/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { type EntryProps, WindowEntry } from '../../window-login/entry.tsx'
import { useWindowLogin } from '../../window-login/use-window-login.ts'
import { WindowWaiting } from '../../window-login/waiting-screen.tsx'
import type { WaitingProps } from '../../window-login/window-login.ts'
import type { Grant } from './attempt.ts'
import { lookOf, type SocialProvider } from './providers.ts'
import { texts } from './texts.arb'

export const ProviderEntry = ({ provider, ...props }: EntryProps<SocialProvider>) => (
  <WindowEntry look={lookOf(provider)} {...props} />
)

export const AwaitingScreen = ({ provider, login }: WaitingProps<SocialProvider, Grant>) => (
  <WindowWaiting look={lookOf(provider)} {...useWindowLogin(login)} />
)

type InAppProps = ScreenProps<undefined, { provider: SocialProvider }>
export const InAppBrowserScreen = ({ provider, screen }: InAppProps) => (
  <InAppBrowserView provider={provider} onLeave={screen.leave} />
)

export type InAppBrowserViewProps = { provider: SocialProvider; onLeave: () => void }

export function InAppBrowserView({ provider, onLeave }: InAppBrowserViewProps) {
  const { title, detail, back } = useTexts(texts).inApp
  return (
    <Failure
      title={title}
      detail={detail({ provider: lookOf(provider).title })}
      button={back}
      onPress={onLeave}
    />
  )
}
