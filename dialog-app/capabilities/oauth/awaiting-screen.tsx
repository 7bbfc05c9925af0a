import type { PartProps } from '../../flow/screen.ts'
import { type WaitingEvents, type WaitingState, WindowWaiting } from '../../window-login/waiting-screen.tsx'
import { providers, type SocialProvider } from './providers.ts'

export const AwaitingScreen = (props: PartProps<WaitingState<SocialProvider>, WaitingEvents>) => (
  <WindowWaiting look={providers[props.state.provider]} {...props} />
)
