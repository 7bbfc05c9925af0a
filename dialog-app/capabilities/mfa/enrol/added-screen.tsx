import type { MfaMethodType } from '@latchkey/protocol'
import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { texts } from '../texts.arb'

export type AddedState = {
  method: MfaMethodType
  /** Another method can be added. */
  hasMore: boolean
}
export type AddedEvents = { done: readonly []; another: readonly [] }

export function AddedScreen({ state, send }: PartProps<AddedState, AddedEvents>) {
  const { added } = useTexts(texts)
  return (
    <Success title={added.titles[state.method]} detail={added.detail}>
      <Button onPress={() => send('done')}>{added.done}</Button>
      {state.hasMore && (
        <Button kind="quiet" onPress={() => send('another')}>
          {added.another}
        </Button>
      )}
    </Success>
  )
}
