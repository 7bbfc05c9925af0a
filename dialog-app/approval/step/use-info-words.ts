import { use, useLayoutEffect } from 'react'
import { OptionsProvider } from '../../app/screen-options.ts'
import type { InfoWords } from '../../flow/screen.ts'

/** Sets the text behind the info button in the header. Undefined removes the button. */
export function useInfoWords(infoWords: InfoWords | undefined) {
  const setOptions = use(OptionsProvider)
  useLayoutEffect(() => setOptions({ infoWords }), [setOptions, infoWords])
}
