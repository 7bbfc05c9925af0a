import { useEffect, useState } from 'react'

/** What few screens have: it is asked for once it is to be drawn. `load` stays the same from one drawing to the next. */
export function useLazyPart<Module>(load: () => Promise<Module>, onMissing: () => void): Module | undefined {
  const [loaded, setLoaded] = useState<Module>()
  useEffect(() => {
    load().then(setLoaded, onMissing)
  }, [load, onMissing])
  return loaded
}
