import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { RowIcon } from '../../ui/row-icon.tsx'
import { Refusal, type RetryEvents } from './refusal.tsx'
import { texts } from './texts.arb'

export function AccountNotFoundScreen({ send }: PartProps<unknown, RetryEvents>) {
  const { title, detail, button } = useTexts(texts).accountNotFound
  return (
    <Refusal icon={<RowIcon name="person" size={28} />} title={title} detail={detail}>
      <Button onPress={() => send('retry')}>{button}</Button>
    </Refusal>
  )
}
