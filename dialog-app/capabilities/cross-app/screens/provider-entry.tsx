import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Group, OptionRow } from '../../../ui/group.tsx'
import type { EntryEvents, EntryState } from '../../../window-login/entry.tsx'
import type { ProviderApp } from '../provider/provider-app.ts'
import { texts } from '../texts.arb'
import { ProviderMark } from './provider-mark.tsx'

export function ProviderEntry({
  state: { provider, isAlone },
  send,
}: PartProps<EntryState<ProviderApp>, EntryEvents>) {
  const { continueWith } = useTexts(texts)
  return (
    <Group>
      <OptionRow
        icon={<ProviderMark app={provider} />}
        label={isAlone ? continueWith({ app: provider.name }) : provider.name}
        onPress={() => send('press')}
      />
    </Group>
  )
}
