import { dialogLimits } from '@latchkey/protocol'
import { useEffect, useState } from 'react'

/** True once `active` has held for long enough to be noticed; false at once when it ends. What is quick shows nothing. */
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
