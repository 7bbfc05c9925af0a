/**
 * Which settings this dialog makes real: the `makes-real.ts` of every capability, without the rest of it, since a
 * host is told at its first message, when no capability is loaded yet.
 */
import type { MakesReal } from '../host/settings.ts'

const files = import.meta.glob<MakesReal>('./*/makes-real.ts', { eager: true, import: 'makesReal' })

export const madeSettings: ReadonlySet<string> = new Set(Object.values(files).flatMap(({ client }) => client))
