import { type ReactElement, useState } from 'react'
import { useTexts } from '../../../i18n/context.tsx'
import { Group, OptionRow } from '../../../ui/group.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { texts } from '../texts.arb'

/** A row that opens the field, for hosts that hide fields at first. */
export function HiddenEntry({ children }: { children: ReactElement }) {
  const { entry } = useTexts(texts)
  const [opened, setOpened] = useState(false)
  if (opened) return children
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
