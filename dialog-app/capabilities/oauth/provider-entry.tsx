import type { PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { providers, type SocialProvider } from './providers.ts'
import { texts } from './texts.ts'

export type EntryState = {
  readonly provider: SocialProvider
  /** It stands alone, so it says what it does; among others its name does. */
  readonly isAlone: boolean
}
export type EntryEvents = { readonly press: readonly [] }

export function ProviderEntry({ state, send }: PartProps<EntryState, EntryEvents>) {
  const { continueWith } = useTexts(texts)
  const { title, mark } = providers[state.provider]
  return (
    <Group>
      <OptionRow
        icon={<Mark drawing={mark} />}
        label={state.isAlone ? continueWith(title) : title}
        onPress={() => send('press')}
      />
    </Group>
  )
}
