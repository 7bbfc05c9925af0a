import { useTexts } from '../../i18n/context.tsx'
import { OptionRow } from '../../ui/group.tsx'
import { RowIcon } from '../../ui/row-icon.tsx'
import { texts } from './texts.arb'

export const TransferRow = ({ onPress }: { readonly onPress: () => void }) => (
  <OptionRow
    icon={<RowIcon name="wallet" />}
    label={useTexts(texts).transfer.row}
    end={{ kind: 'more' }}
    onPress={onPress}
  />
)
