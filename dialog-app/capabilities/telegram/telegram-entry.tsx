import type { PartProps } from '../../flow/screen.ts'
import { type EntryEvents, type EntryState, WindowEntry } from '../../window-login/entry.tsx'
import { look } from './look.ts'

export const TelegramEntry = (props: PartProps<EntryState<'telegram'>, EntryEvents>) => (
  <WindowEntry look={look} {...props} />
)
