import type { NoEvents, PartProps, ShownPart } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Choice } from '../../shell/lazy/choice.tsx'
import { texts } from './texts.arb'

export type PayFromState = {
  readonly entries: readonly ShownPart[]
  /** The amount is a text with its unit. */
  readonly amount: string
  readonly network: string
}

export function PayFromScreen({ state: { entries, amount, network } }: PartProps<PayFromState, NoEvents>) {
  const { payFrom } = useTexts(texts)
  return (
    <Choice title={payFrom.title} entries={entries}>
      {payFrom.detail({ amount, network })}
    </Choice>
  )
}
