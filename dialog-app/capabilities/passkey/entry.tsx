import type { NoEvents, PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { passkey } from '../../webauthn/passkey-mark.ts'
import { texts } from './texts.arb'

export type EntryState = NoEvents
export type EntryEvents = { choose: readonly [] }

export function PasskeyEntry({ send }: PartProps<EntryState, EntryEvents>) {
  const { entry } = useTexts(texts)
  return (
    <Group>
      <OptionRow icon={<Mark drawing={passkey} />} label={entry.label} onPress={() => send('choose')} />
    </Group>
  )
}
