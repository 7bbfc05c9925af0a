import type { PartProps } from '../../flow/screen.ts'
import { type EntryEvents, type EntryState, WindowEntry } from '../../window-login/entry.tsx'
import { lookOf, type SocialProvider } from './providers.ts'

export const ProviderEntry = (props: PartProps<EntryState<SocialProvider>, EntryEvents>) => (
  <WindowEntry look={lookOf(props.state.provider)} {...props} />
)
