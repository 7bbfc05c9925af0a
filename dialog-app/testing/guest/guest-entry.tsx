import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { RowIcon } from '../../ui/row-icon.tsx'
import { texts } from './texts.arb'

export type EntryEvents = { choose: readonly [] }

export function GuestEntry({ send }: PartProps<unknown, EntryEvents>) {
  const { entry } = useTexts(texts)
  return (
    <Group>
      <OptionRow
        icon={<RowIcon name="person" />}
        label={entry}
        end={{ kind: 'more' }}
        onPress={() => send('choose')}
      />
    </Group>
  )
}
