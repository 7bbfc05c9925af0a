import type { Ways } from '../core/screen.ts'
import { useTexts } from '../i18n/context.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './header.module.css'

type HeaderProps = {
  readonly ways: Ways
  readonly onBack: () => void
  readonly onClose: () => void
}

export function Header({ ways, onBack, onClose }: HeaderProps) {
  const { back, close } = useTexts(shellTexts)
  return (
    <header className={styles.header}>
      {ways.back && <IconButton icon="back" label={back} onPress={onBack} />}
      <span className={styles.gap} />
      {ways.close && <IconButton icon="close" label={close} onPress={onClose} />}
    </header>
  )
}
