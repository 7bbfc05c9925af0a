import { useTexts } from '../../i18n/context.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { passkey } from '../../webauthn/passkey-mark.ts'
import { type Autofill, useAutofill } from './autofill.ts'
import { texts } from './texts.arb'

export type PasskeyEntryProps = { onPress: () => void }

/** The row, and the passkeys that the browser suggests for the e-mail field. */
export function AutofilledEntry({
  onPress,
  autofill,
}: PasskeyEntryProps & { autofill: Autofill | undefined }) {
  useAutofill(autofill)
  return <PasskeyEntry onPress={onPress} />
}

export function PasskeyEntry({ onPress }: PasskeyEntryProps) {
  const { entry } = useTexts(texts)
  return (
    <Group>
      <OptionRow icon={<Mark drawing={passkey} />} label={entry.label} onPress={onPress} />
    </Group>
  )
}
