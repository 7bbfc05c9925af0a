import { pictures } from '../../gallery/pictures.ts'
import { startFace } from './face-handle.ts'

await startFace(pictures)
