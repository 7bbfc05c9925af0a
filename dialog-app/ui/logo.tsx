import { useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './logo.module.css'
import { useOutside } from './outside.ts'

type LogoProps = {
  name: string
  url: string | undefined
  size?: 'full' | 'small' | 'code'
}

const segmenter = new Intl.Segmenter()

/** Sides that differ by less than this part look like a square. */
const squareness = 0.2
const isSquare = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) =>
  Math.abs(width - height) < squareness * Math.max(width, height)

/** An app without a logo, or whose logo does not load, shows its first letter. */
export function Logo({ name, url: named, size = 'full' }: LogoProps) {
  const url = useOutside(named)
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
