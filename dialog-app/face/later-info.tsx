import type { InfoButtonProps } from './info-button.tsx'
import { useLater } from './later.ts'

const load = () => import('./info-button.tsx')
const doWithout = () => {}

/** Few screens explain themselves. Where the button can not be had, the screen does without. */
export function LaterInfo(props: InfoButtonProps) {
  const loaded = useLater(load, doWithout)
  return loaded && <loaded.InfoButton {...props} />
}
