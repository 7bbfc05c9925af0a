import type { ReactElement } from 'react'
import base from './base.module.css'
import { classNames } from './class-names.ts'
import styles from './icon-button.module.css'

type IconButtonProps = { readonly icon: ReactElement; readonly label: string; readonly onPress: () => void }

export const IconButton = ({ icon, label, onPress }: IconButtonProps) => (
  <button
    type="button"
    className={classNames(base.control, styles.button)}
    aria-label={label}
    onClick={onPress}
  >
    {icon}
  </button>
)
