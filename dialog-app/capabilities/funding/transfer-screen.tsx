import { trimTrailing } from '@latchkey/protocol'
import { useState } from 'react'
import type { PartProps } from '../../flow/screen.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/lazy/text-field.tsx'
import { OptionRow } from '../../ui/group.tsx'
import { RowIcon } from '../../ui/row-icon.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { texts } from './texts.arb'

export type TransferState = {
  address: string
  network: string
  symbol: string
  decimals: number
  /** What is in the field at first. */
  amount: string
}
export type TransferEvents = { choose: readonly [amount: bigint] }

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
          label={transfer.amount({ symbol })}
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

/** An amount as a person types it, in the smallest unit. Undefined for what is none, is nothing, or is too fine for the coin. */
export function parseAmount(typed: string, decimals: number): bigint | undefined {
  const [, whole, fraction = ''] = /^([0-9]{1,18})(?:[.,]([0-9]{0,36}))?$/.exec(typed.trim()) ?? []
  if (whole === undefined) return undefined
  const digits = trimTrailing(fraction, '0')
  if (digits.length > decimals) return undefined
  const amount = BigInt(whole + digits.padEnd(decimals, '0'))
  return amount > 0n ? amount : undefined
}

export const TransferRow = ({ onPress }: { onPress: () => void }) => (
  <OptionRow
    icon={<RowIcon name="wallet" />}
    label={useTexts(texts).transfer.row}
    end={{ kind: 'more' }}
    onPress={onPress}
  />
)
