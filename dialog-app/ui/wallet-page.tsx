import { useLayoutEffect, useRef, useState } from 'react'
import { themeTokens } from '../theme/theme.ts'
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
    if (place.current) setSource(addressOf(url, address, place.current))
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

function addressOf(page: string, address: string | undefined, place: HTMLElement): string {
  const url = new URL(page)
  const looks = getComputedStyle(place)
  const given = [
    ['address', address ?? ''],
    ['width', String(Math.round(place.clientWidth))],
    ['scheme', looks.colorScheme],
    ['lang', place.closest<HTMLElement>('[lang]')?.lang ?? ''],
    ...themeTokens.map((token) => [token, looks.getPropertyValue(`--lk-${token}`)] as const),
  ] as const
  for (const [name, value] of given) if (value !== '') url.searchParams.set(name, value)
  return url.href
}
