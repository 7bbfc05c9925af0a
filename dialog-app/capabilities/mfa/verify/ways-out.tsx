import type { Send } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Button } from '../../../ui/button.tsx'
import { texts } from '../texts.arb'

export type WayOutEvents = { other: readonly []; notNow: readonly [] }

type WaysOutProps = {
  /** There is another method. */
  canChoose: boolean
  isOver: boolean
  send: Send<WayOutEvents>
}

/** These buttons stand below what a method asks for. */
export function WaysOut({ canChoose, isOver, send }: WaysOutProps) {
  const { verify } = useTexts(texts)
  return (
    <>
      {canChoose && !isOver && (
        <Button kind="text" onPress={() => send('other')}>
          {verify.other}
        </Button>
      )}
      <Button kind="quiet" onPress={() => send('notNow')}>
        {isOver ? verify.close : verify.notNow}
      </Button>
    </>
  )
}
