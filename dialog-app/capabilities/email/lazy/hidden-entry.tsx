import { useState } from 'react'
import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Group, OptionRow } from '../../../ui/group.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { EmailEntry, type EntryEvents, type EntryState } from '../email-entry.tsx'
import { texts } from '../texts.arb'

/** A row that opens the field, where the host wants no field at first. */
export function HiddenEmailEntry({ state, send }: PartProps<EntryState, EntryEvents>) {
  const { entry } = useTexts(texts)
  const [opened, setOpened] = useState(false)
  if (opened || (state.address !== '' && state.address !== state.remembered)) {
    return <EmailEntry state={state} send={send} focused={opened} />
  }
  return (
    <Group>
      <OptionRow
        icon={<Icon name="mail" />}
        label={entry.open}
        end={{ kind: 'more' }}
        onPress={() => setOpened(true)}
      />
    </Group>
  )
}
