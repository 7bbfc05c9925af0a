import type { MarkDrawing } from '../../ui/marks/mark.tsx'
import { type EntryProps, type ProviderLook, WindowEntry } from '../../window-login/entry.tsx'
import { useWindowLogin } from '../../window-login/use-window-login.ts'
import { WindowWaiting } from '../../window-login/waiting-screen.tsx'
import type { WaitingProps } from '../../window-login/window-login.ts'
import type { Grant } from './attempt.ts'

const telegram: MarkDrawing = [
  { fill: '#29a9eb', path: 'M1.5 10a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0' },
  {
    fill: '#fff',
    path: 'M4.7 9.7l9.3-3.7c.6-.2 1 .1.8.8l-1.5 7.5c-.1.6-.5.7-1 .4l-2.5-1.8-1.2 1.2c-.2.2-.5.1-.5-.1l-.4-2.4 4.6-4.2c.2-.2 0-.3-.3-.1l-5.6 3.5-1.8-.6c-.5-.1-.5-.4.1-.5Z',
  },
]

export const telegramLook: ProviderLook = { title: 'Telegram', mark: telegram }

export const TelegramEntry = ({ provider: _, ...props }: EntryProps<'telegram'>) => (
  <WindowEntry look={telegramLook} {...props} />
)

export const TelegramScreen = ({ login }: WaitingProps<'telegram', Grant>) => (
  <WindowWaiting look={telegramLook} {...useWindowLogin(login)} />
)
