import type { ShownPart } from '../../flow/screen.ts'

/** Draws a part that another capability brought. */
export const ShownPartView = ({ part }: { part: ShownPart }) =>
  part.draw((Component, props) => <Component {...props} />)
