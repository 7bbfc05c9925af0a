import { pageHeightMessage } from '@latchkey/protocol/wallet'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { themeTokens } from '../../theme/theme.ts'
import styles from './wallet-page.module.css'

type WalletPageProps = {
  url: string
  label: string
}

/** A page of the wallet's origin, which looks as this card does because its address says how. It tells its height alone. */
export function WalletPage({ url, label }: WalletPageProps) {
  const place = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [source, setSource] = useState<string>()
  useLayoutEffect(() => {
    if (place.current) {
      const width = String(Math.round(place.current.clientWidth))
      setSource(addressWithLook(url, { width }, place.current))
    }
  }, [url])
  useEffect(() => {
    const hear = ({ source: from, origin, data }: MessageEvent) => {
      if (from === null || from !== frame.current?.contentWindow || origin !== new URL(url).origin) return
      const message = v.safeParse(pageHeightMessage, data)
      if (message.success) frame.current.style.setProperty('block-size', `${message.output.heightPx}px`)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [url])
  return (
    <div ref={place} className={styles.place}>
      {source !== undefined && (
        <iframe
          ref={frame}
          className={styles.page}
          data-part="wallet-page"
          title={label}
          src={source}
          sandbox="allow-scripts allow-same-origin"
        />
      )}
    </div>
  )
}

/** The address of a page of the wallet's origin that stands at this place of the card, and looks as the card does. */
export function addressWithLook(
  page: string,
  parameters: Readonly<Record<string, string>>,
  place: HTMLElement,
): string {
  const url = new URL(page)
  const looks = getComputedStyle(place)
  const given = [
    ...Object.entries(parameters),
    ['scheme', looks.colorScheme],
    ['lang', place.closest<HTMLElement>('[lang]')?.lang ?? ''],
    ...themeTokens.map((token) => [token, looks.getPropertyValue(`--lk-${token}`)] as const),
  ] as const
  for (const [name, value] of given) if (value !== '') url.searchParams.set(name, value)
  return url.href
}
