import base from './base.module.css'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './icon-button.module.css'

type IconButtonProps = { readonly icon: IconName; readonly label: string; readonly onPress: () => void }

export const IconButton = ({ icon, label, onPress }: IconButtonProps) => (
  <button
    type="button"
    className={classNames(base.control, styles.button)}
    aria-label={label}
    onClick={onPress}
  >
    <Icon name={icon} />
  </button>
)
