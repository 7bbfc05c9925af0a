import type { ShownPart } from '../flow/screen.ts'

/** As the component would: it sends an event by its name. */
export function pressIn(part: ShownPart, event: string, values: readonly unknown[]) {
  const pressed = part.draw((_component, { send }) => {
    Reflect.apply(send, undefined, [event, ...values])
    return true
  })
  if (!pressed) throw new Error('The screen is not loaded')
}
