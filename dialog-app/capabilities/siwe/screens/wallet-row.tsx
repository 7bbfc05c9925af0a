import { useTexts } from '../../../i18n/context.tsx'
import { Group, OptionRow } from '../../../ui/group.tsx'
import { RowIcon } from '../../../ui/lazy/row-icon.tsx'
import { anyAtRelay, type WalletFace } from '../sources/offered-wallets.ts'
import { texts } from '../texts.arb'
import { WalletMark } from './wallet-mark.tsx'

export type WalletRowProps = {
  /** Undefined if there is no wallet to choose from. */
  wallet: WalletFace | undefined
  isLastUsed: boolean
  onChoose: () => void
}

export function WalletRow({ wallet, isLastUsed, onChoose }: WalletRowProps) {
  const { row } = useTexts(texts)
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
          onPress={onChoose}
        />
      ) : (
        <OptionRow icon={<RowIcon name="wallet" />} label={row.none} onPress={onChoose} />
      )}
    </Group>
  )
}
