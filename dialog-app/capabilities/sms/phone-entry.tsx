import { useState } from 'react'
import type { FirstCode } from '../../contract/code-login.ts'
import type { PartProps } from '../../flow/screen.ts'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import { OfflineNote } from '../../shell/elements/offline-note.tsx'
import { PhoneField } from '../../ui/fields/phone/phone-field.tsx'
import { defaultCountry, type PhoneValue } from '../../ui/fields/phone/phone-value.ts'
import { Group, OptionRow } from '../../ui/group.tsx'
import { RowIcon } from '../../ui/row-icon.tsx'
import { texts } from './texts.arb'

export type PhoneEntryState = {
  status: FirstCode
  /** What was sent, as it stands after going back. */
  given: PhoneValue | undefined
  /** What the host wants to begin with. */
  country: string | undefined
  /** The host wants a button at first, and no field. */
  isHidden: boolean
}
export type PhoneEntryEvents = {
  submit: readonly [value: PhoneValue]
  cancel: readonly []
}

/** A field, or a row that opens one. */
export function PhoneEntry({ state, send }: PartProps<PhoneEntryState, PhoneEntryEvents>) {
  const { entry } = useTexts(texts)
  const language = useLanguage()
  const [opened, setOpened] = useState(false)
  const { status, given, isHidden } = state
  if (isHidden && !opened && !given) {
    return (
      <Group>
        <OptionRow
          icon={<RowIcon name="phone" />}
          label={entry.open}
          end={{ kind: 'more' }}
          onPress={() => setOpened(true)}
        />
      </Group>
    )
  }
  return (
    <>
      <PhoneField
        texts={entry}
        language={language}
        country={defaultCountry(state.country)}
        initial={given}
        busy={status !== 'ready'}
        focused={opened}
        onSubmit={(value) => send('submit', value)}
      />
      {status === 'offline' && <OfflineNote onCancel={() => send('cancel')} />}
    </>
  )
}
