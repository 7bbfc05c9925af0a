import type { NoEvents, PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { texts } from './texts.arb'

export type FailedState = NoEvents
export type FailedEvents = { readonly retry: readonly []; readonly leave: readonly [] }

export function FailedScreen({ send }: PartProps<FailedState, FailedEvents>) {
  const { gaveUp } = useTexts(texts)
  return (
    <Failure title={gaveUp.title} detail={gaveUp.detail} button={gaveUp.retry} onPress={() => send('retry')}>
      <Button kind="quiet" onPress={() => send('leave')}>
        {gaveUp.cancel}
      </Button>
    </Failure>
  )
}
