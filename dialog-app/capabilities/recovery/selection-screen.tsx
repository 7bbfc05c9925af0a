import type { RecoveryMethod } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Banner } from '../../ui/lazy/banner.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { Accordion } from '../../ui/rows/accordion.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { passkey } from '../../webauthn/passkey-mark.ts'
import { clouds } from './cloud/clouds.ts'
import type { RecoveryOption } from './recovery-options.ts'
import { texts } from './texts.arb'

export type SelectionProps = {
  options: readonly RecoveryOption[]
  /** The present recovery method of the wallet. */
  present: RecoveryMethod | undefined
  onChoose: (option: RecoveryOption) => void
  /** Undefined if the user did not begin this, and so has nothing to cancel. */
  onCancel: (() => void) | undefined
}

const icons: { [option in RecoveryOption]: ReactElement } = {
  passkey: <Mark drawing={passkey} />,
  'google-drive': <Mark drawing={clouds['google-drive'].mark} />,
  icloud: <Mark drawing={clouds.icloud.mark} />,
  'user-passcode': <Icon name="lock" />,
}

export function SelectionScreen({ options, present, onChoose, onCancel }: SelectionProps) {
  const { selection, why, cancel } = useTexts(texts)
  const labels = {
    ...selection.options,
    'user-passcode': present === 'user-passcode' ? selection.resetPassword : selection.setPassword,
  }
  return (
    <Stack>
      <Heading>
        <Title>{selection.title}</Title>
        <Lead>{selection.detail}</Lead>
      </Heading>
      {options.length === 0 && <Banner kind="danger">{selection.none}</Banner>}
      <Group>
        {options.map((option) => (
          <OptionRow
            key={option}
            icon={icons[option]}
            label={labels[option]}
            end={option === present ? { kind: 'note', text: selection.present } : { kind: 'more' }}
            onPress={() => onChoose(option)}
          />
        ))}
      </Group>
      {onCancel && (
        <Button kind="text" onPress={onCancel}>
          {cancel}
        </Button>
      )}
      <Accordion summary={why.question}>{selection.why}</Accordion>
    </Stack>
  )
}
