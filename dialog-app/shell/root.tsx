import type { Atom } from 'jotai/vanilla'
import { useEffect, useSyncExternalStore } from 'react'
import type { Settings } from '../host/settings.ts'
import { useLoaded } from '../i18n/context.tsx'
import { languageOf } from '../i18n/languages.ts'
import { texts as shellTexts } from '../i18n/shell-texts.arb'
import { OwnOriginsContext } from '../ui/outside.ts'
import { BrandingContext, brandingOf } from './branding.ts'
import type { Core } from './core.ts'
import { Frame } from './frame.tsx'
import { Shell } from './shell.tsx'

/** The whole shell over one core. */
export function Root({ core }: { readonly core: Core }) {
  const view = useValue(core, core.viewAtom)
  const settings = useValue(core, core.settingsAtom)
  const speaks = useLoaded(shellTexts, languageOf(settings.config.intl?.locale))
  useRootScheme(settings)
  // After the card has left, its screen goes; until then it is seen leaving.
  if (!view.screen || !speaks) return null
  return (
    <OwnOriginsContext value={settings.ownOrigins}>
      <BrandingContext value={brandingOf(settings)}>
        <Frame settings={settings} standalone={view.standalone}>
          <Shell
            view={view}
            onBack={core.back}
            onClose={core.close}
            onSkip={core.skip}
            onDrawn={core.drawn}
            onFocused={core.focused}
          />
        </Frame>
      </BrandingContext>
    </OwnOriginsContext>
  )
}

/** Neither atom is a promise, so React's own hook reads them whole; jotai's for React waits for promises too. */
const useValue = <Value,>({ store }: Core, atom: Atom<Value>): Value =>
  useSyncExternalStore(
    (changed) => store.sub(atom, changed),
    () => store.get(atom),
  )

/** A frame whose scheme differs from its host's page gets an opaque ground from the browser. */
function useRootScheme({ hostColorScheme }: Settings) {
  useEffect(() => {
    document.documentElement.style.setProperty('color-scheme', hostColorScheme)
  }, [hostColorScheme])
}
