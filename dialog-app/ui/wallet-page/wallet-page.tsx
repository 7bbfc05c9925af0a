import { pageHeightMessage } from '@latchkey/protocol/wallet'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { themeTokens } from '../../theme/theme.ts'
import styles from './wallet-page.module.css'

type WalletPageProps = {
  url: string
  label: string
}

/** A framed wallet page. Its URL carries the card's theme, and it reports only its height. */
export function WalletPage({ url, label }: WalletPageProps) {
  const place = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [source, setSource] = useState<string>()
  useLayoutEffect(() => {
    if (place.current) {
      const width = String(Math.round(place.current.clientWidth))
      setSource(toThemedUrl(url, { width }, place.current))
    }
  }, [url])
  useEffect(() => {
    const onMessage = ({ source: from, origin, data }: MessageEvent) => {
      if (from === null || from !== frame.current?.contentWindow || origin !== new URL(url).origin) return
      const message = v.safeParse(pageHeightMessage, data)
      if (message.success) frame.current.style.setProperty('block-size', `${message.output.heightPx}px`)
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
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

/** Returns a wallet page's URL with the theme at this element. */
export function toThemedUrl(
  page: string,
  parameters: Readonly<Record<string, string>>,
  place: HTMLElement,
): string {
  const url = new URL(page)
  const style = getComputedStyle(place)
  const parameterEntries = [
    ...Object.entries(parameters),
    ['scheme', style.colorScheme],
    ['lang', place.closest<HTMLElement>('[lang]')?.lang ?? ''],
    ...themeTokens.map((token) => [token, style.getPropertyValue(`--lk-${token}`)] as const),
  ] as const
  for (const [name, value] of parameterEntries) if (value !== '') url.searchParams.set(name, value)
  return url.href
}
