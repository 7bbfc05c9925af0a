import { useText } from '../i18n/context.tsx'
import { Button } from '../ui/button.tsx'
import { Refusal } from './refusal.tsx'
import type { ScreenProps } from './screen.ts'

export function ACCOUNT_NOT_FOUND_SCREEN({ send }: ScreenProps<'ACCOUNT_NOT_FOUND_SCREEN'>) {
  const { accountNotFound } = useText()
  return (
    <Refusal icon="person" title={accountNotFound.title} detail={accountNotFound.detail}>
      <Button onPress={() => send({ type: 'retry' })}>{accountNotFound.button}</Button>
    </Refusal>
  )
}
