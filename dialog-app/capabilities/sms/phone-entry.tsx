import { useState } from 'react'
import { useLanguage, useTexts } from '../../i18n/context.tsx'
import { OfflineNote } from '../../shell/elements/offline-note.tsx'
import { PhoneField } from '../../ui/fields/phone/phone-field.tsx'
import { defaultCountry, type PhoneValue } from '../../ui/fields/phone/phone-value.ts'
import { Group, OptionRow } from '../../ui/group.tsx'
import { RowIcon } from '../../ui/lazy/row-icon.tsx'
import { type CodeEntryProps, type FirstCode, useFirstCode } from '../codes/use-first-code.ts'
import { texts } from './texts.arb'

type FieldProps = {
  /** The initial country, from the host settings. */
  country: string | undefined
  /** Shows a row first, which opens the field. */
  isHidden: boolean
}

export const PhoneEntry = ({ country, isHidden, ...options }: CodeEntryProps & FieldProps) => (
  <PhoneEntryView {...useFirstCode(options)} country={country} isHidden={isHidden} />
)

/** A field, or a row that opens one. */
export function PhoneEntryView(props: FirstCode & FieldProps & { initial?: PhoneValue }) {
  const { status, sendTo, cancel, country, isHidden, initial } = props
  const { entry } = useTexts(texts)
  const language = useLanguage()
  const [opened, setOpened] = useState(false)
  if (isHidden && !opened) {
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
        country={defaultCountry(country)}
        initial={initial}
        busy={status !== 'ready'}
        focused={opened}
        onSubmit={({ qualifiedPhoneNumber }) => sendTo(qualifiedPhoneNumber)}
      />
      {status === 'offline' && <OfflineNote onCancel={cancel} />}
    </>
  )
}
