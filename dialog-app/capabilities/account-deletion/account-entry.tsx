import type { PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { LaterIcon } from '../../ui/later-icon.tsx'
import { texts } from './texts.ts'

export type AccountEntryState = Readonly<Record<never, never>>
export type AccountEntryEvents = { readonly open: readonly [] }

export function AccountEntry({ send }: PartProps<AccountEntryState, AccountEntryEvents>) {
  const { entry } = useTexts(texts)
  return (
    <Group>
      <OptionRow
        icon={<LaterIcon name="person" />}
        label={entry}
        end={{ kind: 'more' }}
        onPress={() => send('open')}
      />
    </Group>
  )
}
