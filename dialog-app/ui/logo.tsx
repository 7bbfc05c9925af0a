import { useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './logo.module.css'

type LogoProps = {
  readonly name: string
  readonly url: string | undefined
  readonly size?: 'full' | 'small'
}

const segmenter = new Intl.Segmenter()

/** An app without a logo, or whose logo does not load, shows its first letter. */
export function Logo({ name, url, size = 'full' }: LogoProps) {
  const [failed, setFailed] = useState<string>()
  if (url !== undefined && url !== failed) {
    return (
      <img
        className={classNames(styles.image, styles[size])}
        src={url}
        alt={name}
        onError={() => setFailed(url)}
        referrerPolicy="no-referrer"
      />
    )
  }
  const [first] = segmenter.segment(name.trim())
  return (
    <span className={classNames(styles.tile, styles[size])} aria-hidden="true">
      {first?.segment.toLocaleUpperCase()}
    </span>
  )
}
