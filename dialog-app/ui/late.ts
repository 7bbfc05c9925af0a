import { useEffect, useState } from 'react'

/** True once `active` has held for `delayMs`; false at once when it ends. What is quick shows nothing. */
export function useLate(active: boolean, delayMs: number): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setLate(true), delayMs)
    return () => {
      clearTimeout(timer)
      setLate(false)
    }
  }, [active, delayMs])
  return active && late
}
