import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './banner.module.css'
import { RowIcon } from './row-icon.tsx'

type BannerProps = {
  kind: 'warning' | 'danger' | 'info'
  id?: string
  children: ReactNode
}

export const Banner = ({ kind, id, children }: BannerProps) => (
  <div
    className={classNames(styles.banner, styles[kind])}
    id={id}
    role={kind === 'danger' ? 'alert' : 'status'}
  >
    <span className={styles.mark}>
      <RowIcon name={kind === 'info' ? 'info' : 'warning'} />
    </span>
    <div className={styles.text} dir="auto">
      {children}
    </div>
  </div>
)
