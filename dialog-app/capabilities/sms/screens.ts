import { definePart } from '../../flow/screen.ts'

export const phoneEntry = definePart({
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./phone-entry.tsx')).PhoneEntry,
})
