import type { InfoButtonProps } from './lazy/info-button.tsx'
import { useLater } from './lazy-part.ts'

const load = () => import('./lazy/info-button.tsx')
const doWithout = () => {}

/** Few screens explain themselves. Where the button can not be had, the screen does without. */
export function LaterInfo(props: InfoButtonProps) {
  const loaded = useLater(load, doWithout)
  return loaded && <loaded.InfoButton {...props} />
}
