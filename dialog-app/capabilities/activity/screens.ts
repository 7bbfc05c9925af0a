import { definePart, defineScreen, everyWay } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

/** Its row where a user looks at their account. */
export const accountEntry = definePart({
  texts,
  component: async () => (await import('./activity-screen.tsx')).AccountEntry,
})

export const activityScreen = defineScreen({
  name: 'ACTIVITY_SCREEN',
  ways: () => everyWay,
  waits: ({ status }) => status === 'reading',
  texts,
  component: async () => (await import('./activity-screen.tsx')).ActivityScreen,
})

export const screens = [activityScreen] as const
