import { Provider, useAtomValue } from 'jotai/react'
import { useEffect } from 'react'
import { OwnOriginsContext } from '../ui/outside.ts'
import { hostColorSchemeAtom, languageAtom, ownOriginsAtom, viewAtom } from './atoms.ts'
import type { Core } from './core.ts'
import { Frame } from './frame.tsx'
import { Shell } from './shell.tsx'

/** The whole shell over one core. */
export const Root = ({ core }: { core: Core }) => (
  <Provider store={core.store}>
    <Dialog core={core} />
  </Provider>
)

function Dialog({ core }: { core: Core }) {
  const view = useAtomValue(viewAtom)
  const language = useAtomValue(languageAtom)
  const ownOrigins = useAtomValue(ownOriginsAtom)
  useRootScheme()
  // The screen stays mounted until the closing animation has ended.
  if (!view.screen || language === undefined) return null
  return (
    <OwnOriginsContext value={ownOrigins}>
      <Frame language={language} standalone={view.standalone}>
        <Shell
          view={view}
          onBack={core.back}
          onClose={core.close}
          onSkip={core.skip}
          onDrawn={core.drawn}
          onFocused={core.focused}
        />
      </Frame>
    </OwnOriginsContext>
  )
}

/** Applies the host's colour scheme. Browsers give a frame with a different scheme an opaque background. */
function useRootScheme() {
  const scheme = useAtomValue(hostColorSchemeAtom)
  useEffect(() => {
    document.documentElement.style.setProperty('color-scheme', scheme)
  }, [scheme])
}
