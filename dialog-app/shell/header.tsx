import { type ComponentType, lazy, Suspense } from 'react'
import type { InfoWords, Ways } from '../flow/screen.ts'
import { useTexts } from '../i18n/context.tsx'
import { texts as shellTexts } from '../i18n/shell-texts.arb'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import styles from './header.module.css'
import type { InfoButtonProps } from './lazy/info-button.tsx'

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
      <Suspense>{info && <InfoButton words={info} />}</Suspense>
      {ways.close && <IconButton icon={<Icon name="close" />} label={close} onPress={onClose} />}
    </header>
  )
}

/** Few screens explain themselves. Where the button can not be had, the screen does without. */
const InfoButton = lazy<ComponentType<InfoButtonProps>>(() =>
  import('./lazy/info-button.tsx').then(
    (loaded) => ({ default: loaded.InfoButton }),
    () => ({ default: () => null }),
  ),
)
