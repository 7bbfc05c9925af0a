import type { InfoButtonProps } from './lazy/info-button.tsx'
import { useLazyPart } from './lazy-part.ts'

const load = () => import('./lazy/info-button.tsx')
const doWithout = () => {}

/** Few screens explain themselves. Where the button can not be had, the screen does without. */
export function LazyInfo(props: InfoButtonProps) {
  const loaded = useLazyPart(load, doWithout)
  return loaded && <loaded.InfoButton {...props} />
}
