import { useEffect } from 'react'
import type { Core, Settings } from '../core.ts'
import { BrandingContext, brandingOf } from './branding.ts'
import { Frame } from './frame.tsx'
import { Shell } from './shell.tsx'
import { useAtom } from './store.ts'

/** The whole face over one core. */
export function Face({ core }: { readonly core: Core }) {
  const view = useAtom(core.store, core.viewAtom)
  const settings = useAtom(core.store, core.settingsAtom)
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
