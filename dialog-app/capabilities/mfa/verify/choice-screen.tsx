import type { MfaMethodType } from '@latchkey/protocol'
import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Group, OptionRow } from '../../../ui/group.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { methodIcon } from '../method-icon.tsx'
import { texts } from '../texts.arb'

export type VerifyChoiceState = { methods: readonly MfaMethodType[] }
export type VerifyChoiceEvents = {
  choose: readonly [method: MfaMethodType]
  notNow: readonly []
}

export function VerifyChoiceScreen({ state, send }: PartProps<VerifyChoiceState, VerifyChoiceEvents>) {
  const { verify, names } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{verify.choice.title}</Title>
        <Lead>{verify.choice.detail}</Lead>
      </Heading>
      <Group>
        {state.methods.map((method) => (
          <OptionRow
            key={method}
            icon={methodIcon(method)}
            label={names[method]}
            end={{ kind: 'more' }}
            onPress={() => send('choose', method)}
          />
        ))}
      </Group>
      <Button kind="quiet" onPress={() => send('notNow')}>
        {verify.notNow}
      </Button>
    </Stack>
  )
}
