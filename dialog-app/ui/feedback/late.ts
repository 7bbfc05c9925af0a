import { dialogLimits } from '@latchkey/protocol'
import { useEffect, useState } from 'react'

/** Returns true once `active` has lasted long enough to show progress, and false as soon as it ends. */
export function useLate(active: boolean): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setLate(true), dialogLimits.progressAfterMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [active])
  return active && late
}
