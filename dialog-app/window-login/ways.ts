import { everyWay, onlyClose, type Ways } from '../flow/screen.ts'
import type { WaitingState } from './waiting-screen.tsx'

/** Returns no way back once the provider's response is being redeemed. */
export const getWays = ({ status }: Pick<WaitingState<unknown>, 'status'>): Ways =>
  status === 'confirmed' || status === 'success' ? onlyClose : everyWay

/** Returns whether the screen waits for a call that is usually fast. */
export const waits = ({ status }: Pick<WaitingState<unknown>, 'status'>): boolean => status === 'confirmed'

/** The shared texts of these login methods. */
export const texts = async () => (await import('./texts.arb')).texts
