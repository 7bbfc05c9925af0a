import type { PartProps } from '../../flow/screen.ts'
import { type WaitingEvents, type WaitingState, WindowWaiting } from '../../window-login/waiting-screen.tsx'
import { look } from './look.ts'

export const TelegramScreen = (props: PartProps<WaitingState<'telegram'>, WaitingEvents>) => (
  <WindowWaiting look={look} {...props} />
)
