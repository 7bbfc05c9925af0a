import { useLayoutEffect, useRef, useState } from 'react'
import { addressWithLook } from './look-address.ts'
import styles from './wallet-page.module.css'

type WalletPageProps = {
  readonly url: string
  readonly label: string
  /** Of the wallet that it is about. */
  readonly address?: string
}

/** A page of the wallet's origin, which looks as this card does because its address says how. It tells nothing back. */
export function WalletPage({ url, address, label }: WalletPageProps) {
  const place = useRef<HTMLDivElement>(null)
  const [source, setSource] = useState<string>()
  useLayoutEffect(() => {
    if (place.current) {
      const width = String(Math.round(place.current.clientWidth))
      setSource(addressWithLook(url, { address: address ?? '', width }, place.current))
    }
  }, [url, address])
  return (
    <div ref={place} className={styles.place}>
      {source !== undefined && (
        <iframe
          className={styles.page}
          title={label}
          src={source}
          allow={`clipboard-write ${new URL(source).origin}`}
          sandbox="allow-scripts allow-same-origin"
        />
      )}
    </div>
  )
}
