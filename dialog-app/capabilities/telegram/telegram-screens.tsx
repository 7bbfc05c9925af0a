import type { PartProps } from '../../flow/screen.ts'
import { type EntryEvents, type EntryState, WindowEntry } from '../../window-login/entry.tsx'
import {
  type Look,
  type WaitingEvents,
  type WaitingState,
  WindowWaiting,
} from '../../window-login/waiting-screen.tsx'
import { telegram } from './mark.ts'

const look: Look = { title: 'Telegram', mark: telegram }

export const TelegramEntry = (props: PartProps<EntryState<'telegram'>, EntryEvents>) => (
  <WindowEntry look={look} {...props} />
)

export const TelegramScreen = (props: PartProps<WaitingState<'telegram'>, WaitingEvents>) => (
  <WindowWaiting look={look} {...props} />
)
