import { loadable } from '../../browser/loadable.ts'

/** With it come checksums of addresses, which few have loaded before they have chosen a wallet. */
export const messageCode = loadable(() => import('./lazy/sign-in-message.ts'))
