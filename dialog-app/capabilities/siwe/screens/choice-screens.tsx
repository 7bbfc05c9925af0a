import type { NoEvents, PartProps, ShownEntry } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Choice } from '../../../shell/lazy/choice.tsx'
import base from '../../../ui/base.module.css'
import { BreakableAddress } from '../../../ui/rows/address.tsx'
import { texts } from '../texts.arb'

export type ConnectOnlyState = {
  entries: readonly ShownEntry[]
  isUser: boolean
  /** The page wants the account with this address. */
  suggestedAddress: string | undefined
}

export function ConnectOnlyScreen({
  state: { entries, isUser, suggestedAddress },
}: PartProps<ConnectOnlyState, NoEvents>) {
  const { connectOnly } = useTexts(texts)
  return (
    <Choice title={connectOnly.title} entries={entries}>
      {suggestedAddress === undefined ? (
        connectOnly[isUser ? 'detailForUser' : 'detail']
      ) : (
        <>
          {connectOnly.suggested}{' '}
          <bdi className={base.mono} dir="ltr">
            <BreakableAddress address={suggestedAddress} />
          </bdi>
        </>
      )}
    </Choice>
  )
}

export type PayFromState = {
  entries: readonly ShownEntry[]
  /** The amount is a text with its unit. */
  amount: string
  network: string
}

export function PayFromScreen({ state: { entries, amount, network } }: PartProps<PayFromState, NoEvents>) {
  const { payFrom } = useTexts(texts)
  return (
    <Choice title={payFrom.title} entries={entries}>
      {payFrom.detail({ amount, network })}
    </Choice>
  )
}
