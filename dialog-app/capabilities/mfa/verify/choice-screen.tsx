import type { MfaMethodType } from '@latchkey/protocol'
import type { ScreenProps } from '../../../app/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Group, OptionRow } from '../../../ui/group.tsx'
import { Heading, Stack } from '../../../ui/stack.tsx'
import { Lead, Title } from '../../../ui/title.tsx'
import { methodIcon } from '../method-icon.tsx'
import { texts } from '../texts.arb'
import { useLimit } from './use-limit.ts'
import type { PendingVerification } from './verification.ts'

type Props = ScreenProps<
  MfaMethodType,
  { verification: PendingVerification /** Ends the verification. */; onNotNow: () => void }
>

export function VerifyChoiceScreen({ verification, onNotNow, screen }: Props) {
  // The screen below shows the limit.
  useLimit(verification, screen.leave)
  return <VerifyChoiceView methods={verification.methods} onChoose={screen.resolve} onNotNow={onNotNow} />
}

export type VerifyChoiceViewProps = {
  methods: readonly MfaMethodType[]
  onChoose: (method: MfaMethodType) => void
  onNotNow: () => void
}

export function VerifyChoiceView({ methods, onChoose, onNotNow }: VerifyChoiceViewProps) {
  const { verify, names } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{verify.choice.title}</Title>
        <Lead>{verify.choice.detail}</Lead>
      </Heading>
      <Group>
        {methods.map((method) => (
          <OptionRow
            key={method}
            icon={methodIcon(method)}
            label={names[method]}
            end={{ kind: 'more' }}
            onPress={() => onChoose(method)}
          />
        ))}
      </Group>
      <Button kind="quiet" onPress={onNotNow}>
        {verify.notNow}
      </Button>
    </Stack>
  )
}
