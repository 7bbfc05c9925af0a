import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { texts } from '../texts.arb'

export type WaysOutProps = {
  /** The user has another method. */
  canChoose: boolean
  /** No further answer is accepted. */
  isOver: boolean
  onOther: () => void
  onNotNow: () => void
}

/** The buttons below the answer of a method. */
export function WaysOut({ canChoose, isOver, onOther, onNotNow }: WaysOutProps) {
  const { verify } = useTexts(texts)
  return (
    <>
      {canChoose && !isOver && (
        <Button kind="text" onPress={onOther}>
          {verify.other}
        </Button>
      )}
      <Button kind="quiet" onPress={onNotNow}>
        {isOver ? verify.close : verify.notNow}
      </Button>
    </>
  )
}
