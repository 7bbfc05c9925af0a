import { useText } from '../i18n/context.tsx'
import { Button } from '../ui/button.tsx'
import { Refusal } from './refusal.tsx'
import type { ScreenProps } from './screen.ts'

export function USER_LIMIT_REACHED_SCREEN({ send }: ScreenProps<'USER_LIMIT_REACHED_SCREEN'>) {
  const { userLimit } = useText()
  return (
    <Refusal icon="people" title={userLimit.title} detail={userLimit.detail}>
      <Button onPress={() => send({ type: 'retry' })}>{userLimit.button}</Button>
    </Refusal>
  )
}
