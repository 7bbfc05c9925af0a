// npm run gallery [-- --serve | --quick]: builds the gallery of the dialog and takes its pictures.
import { setUp } from './setup.mjs'

await setUp()
await import('./local/gallery.ts')
