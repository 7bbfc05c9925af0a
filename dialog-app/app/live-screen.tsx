/** Renders a screen that the screen stack opened. */
import type { NoEvents, PartProps } from '../flow/screen.ts'
import { DialogProvider } from './context.ts'
import type { LiveScreen } from './screen.ts'
import { OptionsProvider } from './screen-options.ts'

export function LiveScreenView({ state }: PartProps<LiveScreen, NoEvents>) {
  const { Component, props, context, setOptions } = state
  return (
    <DialogProvider value={context}>
      <OptionsProvider value={setOptions}>
        <Component {...props} />
      </OptionsProvider>
    </DialogProvider>
  )
}
