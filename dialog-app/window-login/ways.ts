import { everyWay, onlyClose, type Ways } from '../flow/screen.ts'
import type { WaitingState } from './waiting-screen.tsx'

/** What the provider confirmed is being used, or was: there is no way back from that. */
export const waysOf = ({ status }: Pick<WaitingState<unknown>, 'status'>): Ways =>
  status === 'confirmed' || status === 'success' ? onlyClose : everyWay

/** What was confirmed is mostly used at once. */
export const waits = ({ status }: Pick<WaitingState<unknown>, 'status'>): boolean => status === 'confirmed'

/** The texts of the screen and the entry of each such method. */
export const texts = async () => (await import('./texts.arb')).texts
