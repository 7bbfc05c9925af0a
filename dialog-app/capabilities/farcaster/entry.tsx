import { useTexts } from '../../i18n/context.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { farcaster } from '../../ui/marks/brands/farcaster.ts'
import { Mark } from '../../ui/marks/mark.tsx'
import { texts } from './texts.arb'

export type FarcasterEntryProps = {
  /** The only entry on the screen shows its action; others show the name. */
  isAlone: boolean
  onPress: () => void
}

export function FarcasterEntry({ isAlone, onPress }: FarcasterEntryProps) {
  const { entry } = useTexts(texts)
  return (
    <Group>
      <OptionRow
        icon={<Mark drawing={farcaster} />}
        label={isAlone ? entry.alone : entry.label}
        onPress={onPress}
      />
    </Group>
  )
}
