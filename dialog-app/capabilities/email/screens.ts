import { definePart } from '../../core/screen.ts'

export const emailEntry = definePart({
  texts: async () => (await import('./texts.ts')).texts,
  component: async () => (await import('./email-entry.tsx')).EmailEntry,
})
