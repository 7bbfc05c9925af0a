import { LanguageProvider, useLanguage } from '../i18n/context.tsx'
import { getDirection } from '../i18n/languages.ts'
import { DialogProvider } from './context.ts'
import type { LiveScreen } from './screen.ts'
import { OptionsProvider } from './screen-options.ts'

/** Renders a screen that the screen stack opened. */
export const renderLiveScreen = (screen: LiveScreen) => <Live {...screen} />

/** If the screen's own texts are in English only, so are those of its parts. */
function Live({ Component, props, texts, context, setOptions }: LiveScreen) {
  const requested = useLanguage()
  const language = texts.in(requested) === texts.english ? 'en' : requested
  return (
    <DialogProvider value={context}>
      <OptionsProvider value={setOptions}>
        <LanguageProvider value={language}>
          <div lang={language} dir={getDirection(language)}>
            <Component {...props} />
          </div>
        </LanguageProvider>
      </OptionsProvider>
    </DialogProvider>
  )
}
