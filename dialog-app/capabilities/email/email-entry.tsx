import { useState } from 'react'
import type { PartProps } from '../../core/screen.ts'
import { useBranding } from '../../face/branding.ts'
import { OfflineNote } from '../../face/offline-note.tsx'
import { useTexts } from '../../i18n/context.tsx'
import { EmailField } from '../../ui/email-field.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { Icon } from '../../ui/icon.tsx'
import { missingPart } from './missing-part.ts'
import { texts } from './texts.ts'

export type EntryState = {
  /** `sending` while the first code is asked for, `offline` while that waits for the network. */
  readonly status: 'ready' | 'sending' | 'offline'
  /** The address to begin with, as after going back. */
  readonly address: string
}
export type EntryEvents = { readonly submit: readonly [address: string]; readonly cancel: readonly [] }

/** A field, or a row that opens one where the host wants no field at first. */
export function EmailEntry({ state, send }: PartProps<EntryState, EntryEvents>) {
  const { entry, missing } = useTexts(texts)
  const { showsDirectInputs } = useBranding()
  const [opened, setOpened] = useState(false)
  if (!showsDirectInputs && !opened && state.address === '') {
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
  return (
    <>
      <EmailField
        label={entry.label}
        placeholder={entry.placeholder}
        submitLabel={entry.submit}
        busyLabel={entry.sending}
        initial={state.address}
        busy={state.status !== 'ready'}
        problemOf={(address) => missing[missingPart(address)]}
        focused={opened}
        onSubmit={(address) => send('submit', address)}
      />
      {state.status === 'offline' && <OfflineNote onCancel={() => send('cancel')} />}
    </>
  )
}
