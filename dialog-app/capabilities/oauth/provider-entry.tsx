import type { PartProps } from '../../flow/screen.ts'
import { type EntryEvents, type EntryState, WindowEntry } from '../../window-login/entry.tsx'
import { providers, type SocialProvider } from './providers.ts'

export const ProviderEntry = (props: PartProps<EntryState<SocialProvider>, EntryEvents>) => (
  <WindowEntry look={providers[props.state.provider]} {...props} />
)
