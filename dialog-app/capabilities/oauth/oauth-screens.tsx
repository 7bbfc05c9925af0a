import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { type EntryEvents, type EntryState, WindowEntry } from '../../window-login/entry.tsx'
import { type WaitingEvents, type WaitingState, WindowWaiting } from '../../window-login/waiting-screen.tsx'
import { lookOf, type SocialProvider } from './providers.ts'
import { texts } from './texts.arb'

export const ProviderEntry = (props: PartProps<EntryState<SocialProvider>, EntryEvents>) => (
  <WindowEntry look={lookOf(props.state.provider)} {...props} />
)

export const AwaitingScreen = (props: PartProps<WaitingState<SocialProvider>, WaitingEvents>) => (
  <WindowWaiting look={lookOf(props.state.provider)} {...props} />
)

export type InAppBrowserState = { provider: SocialProvider }
export type InAppBrowserEvents = { leave: readonly [] }

export function InAppBrowserScreen({ state, send }: PartProps<InAppBrowserState, InAppBrowserEvents>) {
  const { title, detail, back } = useTexts(texts).inApp
  return (
    <Failure
      title={title}
      detail={detail({ provider: lookOf(state.provider).title })}
      button={back}
      onPress={() => send('leave')}
    />
  )
}
