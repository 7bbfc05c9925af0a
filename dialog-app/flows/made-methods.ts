import type { LoginMethod } from '@latchkey/protocol'

/** What this dialog can do so far. A method that the app has on and the dialog has not is not offered. */
export const madeMethods: ReadonlySet<LoginMethod> = new Set<LoginMethod>(['email'])
