import type { MfaMethodType } from '@latchkey/protocol'
import type { ScreenProps } from '../../../app/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { Success } from '../../../ui/feedback/success.tsx'
import { texts } from '../texts.arb'

type AddedProps = {
  method: MfaMethodType
  /** Another method can be added. */
  hasMore: boolean
}

export const AddedScreen = ({ screen, ...added }: ScreenProps<'done' | 'another', AddedProps>) => (
  <AddedView
    {...added}
    onDone={() => screen.resolve('done')}
    onAddAnother={() => screen.resolve('another')}
  />
)

export type AddedViewProps = AddedProps & { onDone: () => void; onAddAnother: () => void }

export function AddedView({ method, hasMore, onDone, onAddAnother }: AddedViewProps) {
  const { added } = useTexts(texts)
  return (
    <Success title={added.titles[method]} detail={added.detail}>
      <Button onPress={onDone}>{added.done}</Button>
      {hasMore && (
        <Button kind="quiet" onPress={onAddAnother}>
          {added.another}
        </Button>
      )}
    </Success>
  )
}
