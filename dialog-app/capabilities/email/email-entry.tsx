import { useState } from 'react'
import type { PartProps } from '../../core/screen.ts'
import { useBranding } from '../../face/branding.ts'
import { useTexts } from '../../i18n/context.tsx'
import { EmailField } from '../../ui/email-field.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { texts } from './texts.ts'

export type EntryState = {
  /** `sending` while the first code is asked for. */
  readonly status: 'ready' | 'sending'
  /** The address to begin with, as after going back. */
  readonly address: string
}
export type EntryEvents = { readonly submit: readonly [address: string] }

/** A field, or a row that opens one where the host wants no field at first. */
export function EmailEntry({ state, send }: PartProps<EntryState, EntryEvents>) {
  const { entry } = useTexts(texts)
  const { showsDirectInputs } = useBranding()
  const [opened, setOpened] = useState(false)
  if (!showsDirectInputs && !opened && state.address === '') {
    return (
      <Group>
        <OptionRow icon="mail" label={entry.open} end={{ kind: 'more' }} onPress={() => setOpened(true)} />
      </Group>
    )
  }
  return (
    <EmailField
      label={entry.label}
      placeholder={entry.placeholder}
      submitLabel={entry.submit}
      busyLabel={entry.sending}
      initial={state.address}
      busy={state.status === 'sending'}
      focused={opened}
      onSubmit={(address) => send('submit', address)}
    />
  )
}
