import type { HeaderFlags } from '../core.ts'
import { useText } from '../i18n/context.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './header.module.css'

type HeaderProps = {
  readonly flags: HeaderFlags
  readonly onPress: (event: { readonly type: keyof HeaderFlags }) => void
}

export function Header({ flags, onPress }: HeaderProps) {
  const { shell } = useText()
  return (
    <header className={styles.header}>
      {flags.back && <IconButton icon="back" label={shell.back} onPress={() => onPress({ type: 'back' })} />}
      {flags.info && <IconButton icon="info" label={shell.info} onPress={() => onPress({ type: 'info' })} />}
      <span className={styles.gap} />
      {flags.close && (
        <IconButton icon="close" label={shell.close} onPress={() => onPress({ type: 'close' })} />
      )}
    </header>
  )
}
