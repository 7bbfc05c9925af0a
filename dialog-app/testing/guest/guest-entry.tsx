import { useTexts } from '../../i18n/context.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { RowIcon } from '../../ui/lazy/row-icon.tsx'
import { texts } from './texts.arb'

export function GuestEntry({ onChoose }: { onChoose: () => void }) {
  const { entry } = useTexts(texts)
  return (
    <Group>
      <OptionRow icon={<RowIcon name="person" />} label={entry} end={{ kind: 'more' }} onPress={onChoose} />
    </Group>
  )
}
