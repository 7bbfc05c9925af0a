import type { PartProps } from '../../../flow/screen.ts'
import { useTexts } from '../../../i18n/context.tsx'
import { Group, OptionRow } from '../../../ui/group.tsx'
import { RowIcon } from '../../../ui/row-icon.tsx'
import { anyAtRelay, type WalletFace } from '../sources/offered-wallets.ts'
import { texts } from '../texts.arb'
import { WalletMark } from './wallet-mark.tsx'

export type RowState = {
  /** Undefined where there is none to choose from. */
  wallet: WalletFace | undefined
  isLastUsed: boolean
}
export type RowEvents = { choose: readonly [] }

export function WalletRow({ state: { wallet, isLastUsed }, send }: PartProps<RowState, RowEvents>) {
  const { row } = useTexts(texts)
  const choose = () => send('choose')
  return (
    <Group>
      {wallet ? (
        <OptionRow
          icon={<WalletMark wallet={wallet} />}
          label={wallet.name}
          {...(isLastUsed
            ? { end: { kind: 'tag', text: row.lastUsed }, action: row.connect }
            : wallet.key === anyAtRelay.key
              ? { end: { kind: 'note', text: row.onPhone }, action: row.connect }
              : { end: { kind: 'action', text: row.connect } })}
          onPress={choose}
        />
      ) : (
        <OptionRow icon={<RowIcon name="wallet" />} label={row.none} onPress={choose} />
      )}
    </Group>
  )
}
