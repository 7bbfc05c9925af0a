import type { RecoveryMethod } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Group, OptionRow } from '../../ui/group.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/marks/mark.tsx'
import { Accordion } from '../../ui/rows/accordion.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { passkey } from '../../webauthn/passkey-mark.ts'
import { clouds } from './cloud/clouds.ts'
import type { RecoveryOption } from './recovery-options.ts'
import { texts } from './texts.arb'

export type SelectionState = {
  options: readonly RecoveryOption[]
  /** How the wallet is kept now. */
  present: RecoveryMethod | undefined
  /** The user began it, and may take it back. */
  byUser: boolean
}
export type SelectionEvents = { choose: readonly [RecoveryOption]; cancel: readonly [] }

const icons: { [option in RecoveryOption]: ReactElement } = {
  passkey: <Mark drawing={passkey} />,
  'google-drive': <Mark drawing={clouds['google-drive'].mark} />,
  icloud: <Mark drawing={clouds.icloud.mark} />,
  'user-passcode': <Icon name="lock" />,
}

export function SelectionScreen({
  state: { options, present, byUser },
  send,
}: PartProps<SelectionState, SelectionEvents>) {
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
            onPress={() => send('choose', option)}
          />
        ))}
      </Group>
      {byUser && (
        <Button kind="text" onPress={() => send('cancel')}>
          {cancel}
        </Button>
      )}
      <Accordion summary={why.question}>{selection.why}</Accordion>
    </Stack>
  )
}
