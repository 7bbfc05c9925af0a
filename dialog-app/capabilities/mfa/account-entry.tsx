import type { PartProps } from '../../core/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { LaterIcon } from '../../ui/later-icon.tsx'
import { texts } from './texts.ts'

export type AccountEntryState = { readonly isOn: boolean }
export type AccountEntryEvents = { readonly open: readonly [] }

export function AccountEntry({ state, send }: PartProps<AccountEntryState, AccountEntryEvents>) {
  const { account } = useTexts(texts)
  return (
    <Group>
      <OptionRow
        icon={<LaterIcon name="shield" />}
        label={account.label}
        end={{ kind: 'note', text: state.isOn ? account.on : account.off }}
        onPress={() => send('open')}
      />
    </Group>
  )
}
