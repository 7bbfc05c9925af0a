import { useTexts } from '../i18n/context.tsx'
import { Group, OptionRow } from '../ui/group.tsx'
import { Mark, type MarkDrawing } from '../ui/marks/mark.tsx'
import { texts } from './texts.arb'

/** A provider's name and mark, equal in every language. */
export type ProviderLook = { title: string; mark: MarkDrawing }

export type EntryProps<Provider> = {
  provider: Provider
  /** The only entry on the screen shows its action; others show the name. */
  isAlone: boolean
  /** Opens a window, so it must be called in the click. */
  onPress: () => void
}

type WindowEntryProps = Omit<EntryProps<unknown>, 'provider'> & { look: ProviderLook }

export function WindowEntry({ look: { title, mark }, isAlone, onPress }: WindowEntryProps) {
  const { continueWith } = useTexts(texts)
  return (
    <Group>
      <OptionRow
        icon={<Mark drawing={mark} />}
        label={isAlone ? continueWith({ provider: title }) : title}
        onPress={onPress}
      />
    </Group>
  )
}
