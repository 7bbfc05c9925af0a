import { definePart } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const emailEntry = definePart({
  texts,
  component: async () => (await import('./email-entry.tsx')).EmailEntry,
})

/** Where the host wants no field at first. */
export const hiddenEmailEntry = definePart({
  texts,
  component: async () => (await import('./lazy/hidden-entry.tsx')).HiddenEmailEntry,
})
