import { useState } from 'react'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/lazy/text-field.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { parseAmount } from './amount.ts'
import { texts } from './texts.ts'

export type TransferState = {
  readonly address: string
  readonly network: string
  readonly symbol: string
  readonly decimals: number
  /** What is in the field at first. */
  readonly amount: string
}
export type TransferEvents = { readonly choose: readonly [amount: bigint] }

export function TransferScreen({ state, send }: PartProps<TransferState, TransferEvents>) {
  const { transfer, receive, prompt, copy } = useTexts(texts)
  const { address, network, symbol, decimals } = state
  const [typed, setTyped] = useState(state.amount)
  const [isChecked, setChecked] = useState(false)
  const amount = parseAmount(typed, decimals)
  function choose() {
    setChecked(true)
    if (amount !== undefined) send('choose', amount)
  }
  const problem = isChecked && amount === undefined ? transfer.problem : undefined
  return (
    <Stack>
      <Heading>
        <Title>{transfer.title}</Title>
        <Lead>{transfer.detail}</Lead>
      </Heading>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          choose()
        }}
      >
        <TextField
          label={transfer.amount(symbol)}
          value={typed}
          onChange={setTyped}
          placeholder="0.1"
          problem={problem}
          dir="ltr"
        />
      </form>
      <Facts>
        <Fact term={prompt.to}>
          <Address address={address} copyLabel={copy.label} copiedLabel={copy.done} isWhole />
        </Fact>
        <Fact term={receive.network}>{network}</Fact>
      </Facts>
      <Button onPress={choose}>{transfer.button}</Button>
    </Stack>
  )
}
