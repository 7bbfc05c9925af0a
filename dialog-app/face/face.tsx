import { useAtomValue } from 'jotai/react'
import { useEffect } from 'react'
import type { Core, Settings } from '../core.ts'
import { BrandingContext, brandingOf } from './branding.ts'
import { Frame } from './frame.tsx'
import { Shell } from './shell.tsx'

/** The whole face over one core. */
export function Face({ core }: { readonly core: Core }) {
  const view = useAtomValue(core.viewAtom, { store: core.store })
  const settings = useAtomValue(core.settingsAtom, { store: core.store })
  useRootScheme(settings)
  // After the card has left, its screen goes; until then it is seen leaving.
  if (!view.screen) return null
  return (
    <BrandingContext value={brandingOf(settings)}>
      <Frame settings={settings} standalone={view.standalone}>
        <Shell view={view} send={core.send} />
      </Frame>
    </BrandingContext>
  )
}

/** A frame whose scheme differs from its host's page gets an opaque ground from the browser. */
function useRootScheme({ hostColorScheme }: Settings) {
  useEffect(() => {
    document.documentElement.style.setProperty('color-scheme', hostColorScheme)
  }, [hostColorScheme])
}
