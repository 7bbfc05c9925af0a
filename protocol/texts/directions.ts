/**
 * The writing direction of each language. Programs that run from source read the files; `texts.config.ts` replaces
 * this module in builds.
 */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localeFiles } from './catalogues.ts'
import type { Direction, InLanguages } from './languages.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

export const directions: InLanguages<Direction> = {
  en: 'ltr',
  ...Object.fromEntries(localeFiles(root).map(({ tag, direction }) => [tag, direction])),
}
