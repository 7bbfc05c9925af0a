/** What a person does before a click on a login button. */
const signs = ['pointerover', 'focusin', 'touchstart'] as const

/** For a page that preloads nothing: connects to the dialog's origin when somebody is there. Returns the way back. */
export function preconnectOnInterest(origin: string): () => void {
  const link = document.createElement('link')
  link.rel = 'preconnect'
  link.href = origin
  const listening = new AbortController()
  const connect = () => {
    listening.abort()
    document.head.append(link)
  }
  for (const sign of signs) {
    document.addEventListener(sign, connect, { passive: true, signal: listening.signal })
  }
  return () => {
    listening.abort()
    link.remove()
  }
}
