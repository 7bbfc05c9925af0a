/** The pictures of all capabilities, from their `gallery.ts` files, in list order. */
import { capabilities } from '../capabilities/index.ts'
import { allPictures, type Picture, type Pictures } from '../contract/picture.ts'

const files = import.meta.glob<Pictures>('../capabilities/*/gallery.ts', { eager: true, import: 'pictures' })

export const pictures: readonly Picture[] = allPictures(
  [...new Set(capabilities.map(({ name }) => name))].flatMap(
    (name) => files[`../capabilities/${name}/gallery.ts`] ?? [],
  ),
)
