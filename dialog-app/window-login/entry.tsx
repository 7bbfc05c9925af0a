import type { PartProps } from '../flow/screen.ts'
import { useTexts } from '../i18n/context.tsx'
import { Group, OptionRow } from '../ui/group.tsx'
import { Mark, type MarkDrawing } from '../ui/marks/mark.tsx'
import { texts } from './texts.arb'

/** A provider's name and mark, equal in every language. */
export type ProviderLook = { title: string; mark: MarkDrawing }

export type EntryState<Provider> = {
  provider: Provider
  /** The only entry on the screen shows its action; others show the name. */
  isAlone: boolean
}
export type EntryEvents = { press: readonly [] }

export function WindowEntry<Provider>({
  look: { title, mark },
  state,
  send,
}: PartProps<EntryState<Provider>, EntryEvents> & { look: ProviderLook }) {
  const { continueWith } = useTexts(texts)
  return (
    <Group>
      <OptionRow
        icon={<Mark drawing={mark} />}
        label={state.isAlone ? continueWith({ provider: title }) : title}
        onPress={() => send('press')}
      />
    </Group>
  )
}
