import type { ShownEntry } from '../../flow/screen.ts'

/** Draws a part that another capability brought. */
export const ShownPartView = ({ part }: { part: ShownEntry }) =>
  'element' in part ? part.element : part.draw((Component, props) => <Component {...props} />)
