import { useTexts } from '../../../i18n/context.tsx'
import { Group, OptionRow } from '../../../ui/group.tsx'
import type { EntryProps } from '../../../window-login/entry.tsx'
import type { ProviderApp } from '../provider/provider-app.ts'
import { texts } from '../texts.arb'
import { ProviderMark } from './provider-mark.tsx'

export function ProviderEntry({ provider, isAlone, onPress }: EntryProps<ProviderApp>) {
  const { continueWith } = useTexts(texts)
  return (
    <Group>
      <OptionRow
        icon={<ProviderMark app={provider} />}
        label={isAlone ? continueWith({ app: provider.name }) : provider.name}
        onPress={onPress}
      />
    </Group>
  )
}
