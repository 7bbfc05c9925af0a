import type { InfoWords, Ways } from '../flow/screen.ts'
import { useTexts } from '../i18n/context.tsx'
import { texts as shellTexts } from '../i18n/shell-texts.arb'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './header.module.css'
import type { InfoButtonProps } from './lazy/info-button.tsx'
import { useLazyPart } from './lazy-part.ts'

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

const load = () => import('./lazy/info-button.tsx')
const doWithout = () => {}

/** Few screens explain themselves. Where the button can not be had, the screen does without. */
function LazyInfo(props: InfoButtonProps) {
  const loaded = useLazyPart(load, doWithout)
  return loaded && <loaded.InfoButton {...props} />
}
