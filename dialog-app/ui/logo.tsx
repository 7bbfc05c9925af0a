import { useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './logo.module.css'
import { useExternalUrl } from './outside.ts'

type LogoProps = {
  name: string
  url: string | undefined
  size?: 'full' | 'small' | 'code'
}

const segmenter = new Intl.Segmenter()

/** The maximum relative difference of the sides of a square logo. */
const squareness = 0.2
const isSquare = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) =>
  Math.abs(width - height) < squareness * Math.max(width, height)

/** Shows the app's logo, or its first letter if there is no logo or it fails to load. */
export function Logo({ name, url: named, size = 'full' }: LogoProps) {
  const url = useExternalUrl(named)
  const [failed, setFailed] = useState<string>()
  const [square, setSquare] = useState<boolean>()
  if (url !== undefined && url !== failed) {
    return (
      <img
        className={classNames(styles.image, styles[size])}
        src={url}
        alt={name}
        data-square={square}
        onLoad={(event) => setSquare(isSquare(event.currentTarget))}
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
