import { pictures } from '../../gallery/pictures.ts'
import { startFace } from './face-handle.ts'

await startFace(pictures, new URLSearchParams(location.search).get('locale') ?? 'en')
