import { DialogProvider } from './context.ts'
import type { LiveScreen } from './screen.ts'
import { OptionsProvider } from './screen-options.ts'

/** Renders a screen that the screen stack opened. */
export const renderLiveScreen = ({ Component, props, context, setOptions }: LiveScreen) => (
  <DialogProvider value={context}>
    <OptionsProvider value={setOptions}>
      <Component {...props} />
    </OptionsProvider>
  </DialogProvider>
)
