import { useTexts } from '../../i18n/context.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { passkey } from '../../webauthn/passkey-mark.ts'
import { texts } from './texts.arb'

export type PasskeyEntryProps = { onPress: () => void }

export function PasskeyEntry({ onPress }: PasskeyEntryProps) {
  const { entry } = useTexts(texts)
  return (
    <Group>
      <OptionRow icon={<Mark drawing={passkey} />} label={entry.label} onPress={onPress} />
    </Group>
  )
}
