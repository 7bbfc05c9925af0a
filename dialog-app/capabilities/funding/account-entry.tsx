import type { PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { LaterIcon } from '../../ui/later-icon.tsx'
import { texts } from './texts.ts'

export type AccountEntryEvents = { readonly open: readonly [] }

export function AccountEntry({ send }: PartProps<object, AccountEntryEvents>) {
  const { account } = useTexts(texts)
  return (
    <Group>
      <OptionRow
        icon={<LaterIcon name="wallet" />}
        label={account}
        end={{ kind: 'more' }}
        onPress={() => send('open')}
      />
    </Group>
  )
}
