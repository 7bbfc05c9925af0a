import { type OpenedWindowState, windowMessage } from '@latchkey/protocol/wallet'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { Button } from '../button.tsx'
import styles from './wallet-button.module.css'
import { addressWithLook } from './wallet-page.tsx'

type WalletButtonProps = {
  /** Of the page that draws it, with the handle of its window. */
  url: string
  label: string
  /** What it says once it has opened a window. */
  again: string
  /** What stands in its place until it has come. */
  preparing: string
  onState: (state: OpenedWindowState) => void
}

/** A frame that did not come is asked for again. */
const AGAIN_AFTER_MS = 10_000

/**
 * A button that opens a window of the wallet's origin. That origin draws it, in a frame, and opens the window in its own
 * click: so no script of this page ever holds the window.
 */
export function WalletButton({ url, label, again, preparing, onState }: WalletButtonProps) {
  const place = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [source, setSource] = useState<string>()
  const [tries, setTries] = useState(0)
  const [hasCome, setCome] = useState(false)
  const hadFocus = useRef(false)
  const onStateNow = useRef(onState)
  onStateNow.current = onState

  useLayoutEffect(() => {
    // With a frame that goes, its focus goes too: the one that takes its place has it.
    hadFocus.current ||= frame.current !== null && document.activeElement === frame.current
    if (place.current) setSource(addressWithLook(url, { label, again }, place.current))
    setCome(false)
  }, [url, label, again])
  useLayoutEffect(() => {
    if (!hasCome || !hadFocus.current) return
    hadFocus.current = false
    frame.current?.focus({ preventScroll: true })
  }, [hasCome])

  useEffect(() => {
    const { origin, hash } = new URL(url)
    const hear = ({ source, origin: from, data }: MessageEvent) => {
      if (from !== origin || source === null || source !== frame.current?.contentWindow) return
      const message = v.safeParse(windowMessage, data)
      if (!message.success || `#${message.output.handle}` !== hash) return
      const { state } = message.output
      if (state === 'drawn') return setCome(true)
      if (state !== 'escape') return onStateNow.current(state)
      // The key is the card's, wherever on it the focus is.
      const key = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
      frame.current.dispatchEvent(key)
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [url])

  useEffect(() => {
    if (hasCome) return
    const timer = setTimeout(() => setTries(tries + 1), AGAIN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [hasCome, tries])

  return (
    <div ref={place} className={styles.place}>
      {!hasCome && (
        <div className={styles['stand-in']}>
          <Button busy={preparing} onPress={() => {}}>
            {label}
          </Button>
        </div>
      )}
      {source !== undefined && (
        <iframe
          // Another handle after the # would load nothing.
          key={`${source} ${tries}`}
          ref={frame}
          className={styles.frame}
          data-shown={hasCome}
          title={label}
          src={source}
          sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        />
      )}
    </div>
  )
}
