import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { farcaster } from '../../ui/marks/brands/farcaster.ts'
import { Mark } from '../../ui/marks/mark.tsx'
import { texts } from './texts.arb'

export type EntryState = {
  /** The only entry on the screen shows its action; others show the name. */
  isAlone: boolean
}
export type EntryEvents = { choose: readonly [] }

export function FarcasterEntry({ state, send }: PartProps<EntryState, EntryEvents>) {
  const { entry } = useTexts(texts)
  return (
    <Group>
      <OptionRow
        icon={<Mark drawing={farcaster} />}
        label={state.isAlone ? entry.alone : entry.label}
        onPress={() => send('choose')}
      />
    </Group>
  )
}
