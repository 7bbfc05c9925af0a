import type { PartProps } from '../../flow/screen.ts'
import { type WaitingEvents, type WaitingState, WindowWaiting } from '../../window-login/waiting-screen.tsx'
import { lookOf, type SocialProvider } from './providers.ts'

export const AwaitingScreen = (props: PartProps<WaitingState<SocialProvider>, WaitingEvents>) => (
  <WindowWaiting look={lookOf(props.state.provider)} {...props} />
)
