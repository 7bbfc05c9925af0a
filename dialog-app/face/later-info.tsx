import { useEffect, useState } from 'react'
import type { InfoButton, InfoButtonProps } from './info-button.tsx'

/** Few screens explain themselves. Where the button can not be had, the screen does without. */
export function LaterInfo(props: InfoButtonProps) {
  const [loaded, setLoaded] = useState<{ readonly InfoButton: typeof InfoButton }>()
  useEffect(() => {
    import('./info-button.tsx').then(setLoaded, () => {})
  }, [])
  return loaded && <loaded.InfoButton {...props} />
}
