import type { ScreenProps } from '../../app/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import type { Verification } from '../../wallet/verification.ts'
import { texts } from './texts.arb'

export const VerifyScreen = ({ screen }: ScreenProps<Verification>) => (
  <VerifyView onConfirm={() => screen.resolve({ mfaMethod: 'totp', mfaCode: '123456' })} />
)

export function VerifyView({ onConfirm }: { onConfirm: () => void }) {
  const { verify } = useTexts(texts)
  return (
    <Stack>
      <Heading>
        <Title>{verify.title}</Title>
        <Lead>{verify.detail}</Lead>
      </Heading>
      <Button onPress={onConfirm}>{verify.confirm}</Button>
    </Stack>
  )
}
