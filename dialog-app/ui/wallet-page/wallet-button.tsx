import { type OpenedWindowState, windowMessage } from '@latchkey/protocol/wallet'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { Button } from '../button.tsx'
import styles from './wallet-button.module.css'
import { toThemedUrl } from './wallet-page.tsx'

type WalletButtonProps = {
  /** The URL of the button page, with the window's handle. */
  url: string
  label: string
  /** The label after it has opened a window. */
  again: string
  /** The label until the frame is loaded. */
  preparing: string
  onState: (state: OpenedWindowState) => void
}

/** Reloads a frame that did not load in time. */
const AGAIN_AFTER_MS = 10_000

/**
 * A button that opens a wallet window. The wallet origin renders it in a frame and opens the window on click, so no
 * script of this page ever holds the window.
 */
export function WalletButton({ url, label, again, preparing, onState }: WalletButtonProps) {
  const place = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [source, setSource] = useState<string>()
  const [attempt, setTries] = useState(0)
  const [isDrawn, setCome] = useState(false)
  const hadFocus = useRef(false)
  const latestOnState = useRef(onState)
  latestOnState.current = onState

  useLayoutEffect(() => {
    // Removing a focused frame loses the focus, so the next frame restores it.
    hadFocus.current ||= frame.current !== null && document.activeElement === frame.current
    if (place.current) setSource(toThemedUrl(url, { label, again }, place.current))
    setCome(false)
  }, [url, label, again])
  useLayoutEffect(() => {
    if (!isDrawn || !hadFocus.current) return
    hadFocus.current = false
    frame.current?.focus({ preventScroll: true })
  }, [isDrawn])

  useEffect(() => {
    const { origin, hash } = new URL(url)
    const onMessage = ({ source, origin: from, data }: MessageEvent) => {
      if (from !== origin || source === null || source !== frame.current?.contentWindow) return
      const message = v.safeParse(windowMessage, data)
      if (!message.success || `#${message.output.handle}` !== hash) return
      const { state } = message.output
      if (state === 'drawn') return setCome(true)
      if (state !== 'escape') return latestOnState.current(state)
      // Forwards Escape to the card.
      const key = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
      frame.current.dispatchEvent(key)
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [url])

  useEffect(() => {
    if (isDrawn) return
    const timer = setTimeout(() => setTries(attempt + 1), AGAIN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isDrawn, attempt])

  return (
    <div ref={place} className={styles.place}>
      {!isDrawn && (
        <div className={styles['stand-in']}>
          <Button busy={preparing} onPress={() => {}}>
            {label}
          </Button>
        </div>
      )}
      {source !== undefined && (
        <iframe
          // A changed fragment alone would not reload the frame.
          key={`${source} ${attempt}`}
          ref={frame}
          className={styles.frame}
          data-shown={isDrawn}
          title={label}
          src={source}
          sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        />
      )}
    </div>
  )
}
