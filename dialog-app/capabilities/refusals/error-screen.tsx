import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import type { ErrorState } from './error-text.ts'
import type { RetryEvents } from './refusal.tsx'
import { texts } from './texts.arb'

export function ErrorScreen({ state: { title, detail, button }, send }: PartProps<ErrorState, RetryEvents>) {
  const { error, serverSaid } = useTexts(texts)
  return (
    <Failure
      title={error[title]}
      detail={typeof detail === 'string' ? error[detail] : serverSaid(detail)}
      button={error[button]}
      onPress={() => send('retry')}
    />
  )
}
