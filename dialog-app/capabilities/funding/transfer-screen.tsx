import { trimTrailing } from '@latchkey/protocol'
import type { NamedChain } from '@latchkey/protocol/chains'
import { useState } from 'react'
import { useDialog } from '../../app/context.ts'
import { useTexts } from '../../i18n/context.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/fields/lazy/text-field.tsx'
import { OptionRow } from '../../ui/group.tsx'
import { RowIcon } from '../../ui/lazy/row-icon.tsx'
import { Address } from '../../ui/rows/address.tsx'
import { Fact, Facts } from '../../ui/rows/facts.tsx'
import { Heading, Stack } from '../../ui/stack.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { formatAmount } from './create-funding.ts'
import { receiveScreen } from './screens.ts'
import { texts } from './texts.arb'
import { type FundingProps, useFunding } from './use-funding.ts'

type TransferScreenProps = FundingProps & { chain: NamedChain; amount: string }

export function TransferScreen({ funding, chain, amount }: TransferScreenProps) {
  const { handle } = useDialog()
  const { open } = useFunding(funding)
  const { address, payFromWallet } = funding

  /** The receive screen shows the payment when it arrives. */
  async function payFrom(value: bigint) {
    const payment = { to: address, chain, value, amount: formatAmount(chain, value) }
    const paid = await payFromWallet(handle, payment).catch(() => 'left' as const)
    if (paid === 'sent') open(receiveScreen, { funding })
  }

  return (
    <TransferView
      address={address}
      network={chain.name}
      symbol={chain.symbol}
      decimals={chain.decimals}
      initialAmount={amount}
      onChoose={(value) => void payFrom(value)}
    />
  )
}

export type TransferViewProps = {
  address: string
  network: string
  symbol: string
  decimals: number
  initialAmount: string
  onChoose: (amount: bigint) => void
}

export function TransferView({
  address,
  network,
  symbol,
  decimals,
  initialAmount,
  onChoose,
}: TransferViewProps) {
  const { transfer, receive, prompt, copy } = useTexts(texts)
  const [typed, setTyped] = useState(initialAmount)
  const [isChecked, setChecked] = useState(false)
  const amount = parseAmount(typed, decimals)
  function choose() {
    setChecked(true)
    if (amount !== undefined) onChoose(amount)
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

/** Parses a typed amount into the smallest unit. Returns undefined if it is invalid, zero, or too precise. */
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
