import { useLayoutEffect, useRef, useState } from 'react'
import { addressWithLook } from './look-address.ts'
import styles from './wallet-page.module.css'

type WalletPageProps = {
  readonly url: string
  readonly label: string
}

/** A page of the wallet's origin, which looks as this card does because its address says how. It tells nothing back. */
export function WalletPage({ url, label }: WalletPageProps) {
  const place = useRef<HTMLDivElement>(null)
  const [source, setSource] = useState<string>()
  useLayoutEffect(() => {
    if (place.current) {
      const width = String(Math.round(place.current.clientWidth))
      setSource(addressWithLook(url, { width }, place.current))
    }
  }, [url])
  return (
    <div ref={place} className={styles.place}>
      {source !== undefined && (
        <iframe
          className={styles.page}
          title={label}
          src={source}
          sandbox="allow-scripts allow-same-origin"
        />
      )}
    </div>
  )
}
