import type { InfoWords, Ways } from '../flow/screen.ts'
import { useTexts } from '../i18n/context.tsx'
import { shellTexts } from '../i18n/shell.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './header.module.css'
import { LazyInfo } from './lazy-info.tsx'

type HeaderProps = {
  readonly ways: Ways
  readonly info: InfoWords | undefined
  readonly onBack: () => void
  readonly onClose: () => void
}

export function Header({ ways, info, onBack, onClose }: HeaderProps) {
  const { back, close } = useTexts(shellTexts)
  return (
    <header className={styles.header}>
      {ways.back && <IconButton icon={<Icon name="back" />} label={back} onPress={onBack} />}
      <span className={styles.gap} />
      {info && <LazyInfo words={info} />}
      {ways.close && <IconButton icon={<Icon name="close" />} label={close} onPress={onClose} />}
    </header>
  )
}
