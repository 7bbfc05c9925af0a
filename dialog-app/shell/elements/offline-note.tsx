import { useTexts } from '../../i18n/context.tsx'
import { texts as shellTexts } from '../../i18n/shell-texts.arb'
import { InlineButton } from '../../ui/button.tsx'
import styles from './offline-note.module.css'

/** Shows that a request waits for the network, with a button that cancels it. */
export function OfflineNote({ onCancel }: { onCancel: () => void }) {
  const { offline } = useTexts(shellTexts)
  return (
    <div className={styles.note}>
      <span role="status">{offline.waits}</span>
      <InlineButton onPress={onCancel}>{offline.cancel}</InlineButton>
    </div>
  )
}
