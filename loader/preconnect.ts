/** What a person does before a click on a login button. */
const signs = ['pointerover', 'focusin', 'touchstart'] as const

/** For a page that preloads nothing: connects to the dialog's origin when somebody is there. Returns the way back. */
export function preconnectOnInterest(origin: string): () => void {
  const link = document.createElement('link')
  link.rel = 'preconnect'
  link.href = origin
  const stop = () => {
    for (const sign of signs) document.removeEventListener(sign, connect)
  }
  const connect = () => {
    stop()
    document.head.append(link)
  }
  for (const sign of signs) document.addEventListener(sign, connect, { passive: true })
  return () => {
    stop()
    link.remove()
  }
}
