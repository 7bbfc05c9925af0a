import type { ScreenProps } from '../../app/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { type EntryProps, type ProviderLook, WindowEntry } from '../../window-login/entry.tsx'
import { useWindowLogin } from '../../window-login/use-window-login.ts'
import { WindowWaiting } from '../../window-login/waiting-screen.tsx'
import type { WaitingProps } from '../../window-login/window-login.ts'
import type { Grant } from './attempt.ts'
import { texts } from './texts.arb'

export const ProviderEntry = ({ provider, ...props }: EntryProps<ProviderLook>) => (
  <WindowEntry look={provider} {...props} />
)

export const AwaitingScreen = ({ provider, login }: WaitingProps<ProviderLook, Grant>) => (
  <WindowWaiting look={provider} {...useWindowLogin(login)} />
)

type InAppProps = ScreenProps<undefined, { provider: ProviderLook }>
export const InAppBrowserScreen = ({ provider, screen }: InAppProps) => (
  <InAppBrowserView provider={provider} onLeave={screen.leave} />
)

export type InAppBrowserViewProps = { provider: ProviderLook; onLeave: () => void }

export function InAppBrowserView({ provider, onLeave }: InAppBrowserViewProps) {
  const { title, detail, back } = useTexts(texts).inApp
  return (
    <Failure title={title} detail={detail({ provider: provider.title })} button={back} onPress={onLeave} />
  )
}
